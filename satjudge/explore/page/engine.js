// Asks satjudge: the server that the page came from, or satjudge in a worker of this browser. `config.json` says which.

// What is wrong with a question: `fault` has message, line, column and suggestion.
export class Fault extends Error {
  constructor(fault) {
    super(fault.suggestion ? `${fault.message} (${fault.suggestion})` : fault.message);
    this.fault = fault;
  }
}

const unwrap = told => {
  if (told.fault) throw new Fault(told.fault);
  return told.answer;
};

const JSON_BODY = {'content-type': 'application/json'};

const overNetwork = () => async question => {
  const response = await fetch('ask', {
    method: 'POST', headers: JSON_BODY, body: JSON.stringify(question),
  });
  if (!response.ok) throw new Fault({message: `the server refuses: ${await response.text()}`});
  return unwrap(await response.json());
};

// The long tasks of the server on one's own machine.
const longTasks = {
  offered: async () => (await fetch('tasks')).json(),

  // Calls `told` with each event of a task as it comes; `signal` leaves it, and then it is ended.
  run: async (task, told, signal) => {
    const response = await fetch('tasks', {method: 'POST', headers: JSON_BODY, body: JSON.stringify(task), signal});
    if (!response.ok) throw new Fault({message: `the server refuses: ${await response.text()}`});
    let rest = '', event = {};
    for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
      const {done, value} = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) told(event = JSON.parse(line));
    }
    if (!event.found && !event.fault) throw new Fault({message: 'the server ended before the task did'});
  },

  stop: name => fetch('tasks/stop', {method: 'POST', headers: JSON_BODY, body: name}),
};

// What the site has the answers to is known before satjudge has started. A worker that fails is replaced by the next question.
const inWorker = config => {
  const opening = fetch(config.opening).then(response => response.json()).catch(() => ({}));
  const waiting = new Map();
  let worker = null;
  let asked = 0;
  const start = () => new Promise((resolve, reject) => {
    const own = worker = new Worker('worker.js', {type: 'module'});
    const failed = message => {
      own.terminate();
      if (own === worker) worker = null;
      const fault = new Fault({message: `satjudge failed in this browser: ${message}`});
      for (const one of [{reject}, ...waiting.values()]) one.reject(fault);
      waiting.clear();
    };
    own.addEventListener('error', event => failed(event.message ?? 'it cannot be loaded'));
    own.addEventListener('message', ({data}) => {
      if (data.failed) failed(data.failed);
      if (data.ready) resolve();
      waiting.get(data.number)?.resolve(data.told);
      waiting.delete(data.number);
    });
    own.postMessage({config});
  });
  const ready = start();
  const ask = async asking => {
    const question = JSON.stringify(asking);
    const known = (await opening)[question];
    if (!worker) start().catch(() => {});
    worker.postMessage({number: ++asked, question});
    if (known) return unwrap(known);  // it was asked all the same, which loads what such questions need
    const told = await new Promise((resolve, reject) => waiting.set(asked, {resolve, reject}));
    return unwrap(JSON.parse(told));
  };
  return {ask, ready};
};

// Returns `{ask, tasks, ready, opened}`: `ask(question)` promises an answer or fails with a `Fault`; `tasks` runs long ones, and is
// null where there are none; `ready` is kept when satjudge has started, where that takes time; `opened` are the phases to begin
// with, {position, sheet, rules, follows}.
export const connect = async () => {
  const config = await (await fetch('config.json', {cache: 'no-cache'})).json();
  const here = config.engine === 'worker' ? {...inWorker(config), tasks: null} : {ask: overNetwork(), tasks: longTasks};
  return {...here, opened: config.opened ?? []};
};
