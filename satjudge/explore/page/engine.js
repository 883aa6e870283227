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

const inWorker = () => {
  const worker = new Worker('worker.js', {type: 'module'});
  const waiting = new Map();
  let asked = 0;
  worker.addEventListener('message', ({data}) => {
    waiting.get(data.number)(data.told);
    waiting.delete(data.number);
  });
  return question => new Promise(resolve => {
    waiting.set(++asked, resolve);
    worker.postMessage({number: asked, question: JSON.stringify(question)});
  }).then(told => unwrap(JSON.parse(told)));
};

// Returns `{ask, tasks, opened}`: `ask(question)` promises an answer or fails with a `Fault`; `tasks` runs long ones, and is null
// where there are none; `opened` are the phases to begin with, {position, sheet, rules, follows}.
export const connect = async () => {
  const config = await (await fetch('config.json')).json();
  return {ask: config.engine === 'worker' ? inWorker() : overNetwork(), tasks: config.engine === 'server' ? longTasks : null, opened: config.opened ?? []};
};
