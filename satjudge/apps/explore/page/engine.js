// Asks satjudge: the server that the page came from, or satjudge in a worker of this browser. `config.json` says which.
import {makeEarly} from './early.js';

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

const PATIENCE = 1000;  // milliseconds
const JSON_BODY = {'content-type': 'application/json'};

const overNetwork = () => async (question, signal) => {
  const response = await fetch('ask', {
    method: 'POST', headers: JSON_BODY, body: JSON.stringify(question), signal,
  });
  if (!response.ok) throw new Fault({message: `the server refused the question: ${await response.text()}`});
  return unwrap(await response.json());
};

// The long tasks of the server on one's own machine.
const longTasks = {
  offered: async () => (await fetch('tasks')).json(),

  // Calls `told` with each event of a task as it comes; `signal` leaves it, and then it is ended.
  run: async (task, told, signal) => {
    const response = await fetch('tasks', {method: 'POST', headers: JSON_BODY, body: JSON.stringify(task), signal});
    if (!response.ok) throw new Fault({message: `the server refused the question: ${await response.text()}`});
    let rest = '', event = {};
    for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
      const {done, value} = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) told(event = JSON.parse(line));
    }
    if (!event.found && !event.fault) throw new Fault({message: 'the server stopped before the task was finished'});
  },

  stop: name => fetch('tasks/stop', {method: 'POST', headers: JSON_BODY, body: name}),
};

// What the site has the answers to is known before satjudge has started, and some is answered without it (early.js). A worker
// that fails is replaced by the next question.
// Questions go to it one by one, so that those whose answers nobody waits for any more are never worked out.
const inWorker = config => {
  const opening = fetch(config.opening).then(response => response.json()).catch(() => ({}));
  const early = makeEarly(config, opening);
  const waiting = [];
  let begun = false, started = false;
  let worker = null;
  let asked = null;  // what the worker is at
  const proceed = () => {
    while (!asked && waiting.length) {
      const next = waiting.shift();
      if (next.signal?.aborted) next.reject(next.signal.reason);
      else asked = next;
    }
    if (!asked || asked.sent || !begun) return;
    if (!worker) start().catch(() => {});
    asked.sent = true;
    worker.postMessage({question: asked.question});
  };
  const start = () => new Promise((resolve, reject) => {
    const own = worker = new Worker('worker.js', {type: 'module'});
    const failed = message => {
      own.terminate();
      if (own === worker) worker = null;
      const fault = new Fault({message: `satjudge failed in this browser: ${message}`});
      for (const one of [{reject}, ...(asked ? [asked] : []), ...waiting.splice(0)]) one.reject(fault);
      asked = null;
    };
    own.addEventListener('error', event => failed(event.message ?? 'it could not be loaded'));
    own.addEventListener('message', ({data}) => {
      if (data.failed) failed(data.failed);
      if (data.ready) {
        started = true;
        resolve();
      }
      if (!data.told) return;
      asked.resolve(data.told);
      asked = null;
      proceed();
    });
    own.postMessage({config});
  });
  // Starting takes the processor, so that it begins when the map is there, or after a second.
  let begin = null;
  const ready = new Promise(resolve => { begin = resolve; }).then(() => {
    begun = true;
    return start();
  });
  setTimeout(begin, PATIENCE);
  const work = (question, signal) => new Promise((resolve, reject) => {
    waiting.push({question, signal, resolve, reject});
    proceed();
  });
  const ask = async (asking, signal) => {
    const question = JSON.stringify(asking);
    const known = (await opening)[question];
    const first = known || started ? undefined : await early(asking);
    if (first !== undefined) return first;
    const told = work(question, signal);
    if (!known) return unwrap(JSON.parse(await told));
    told.catch(() => {});  // it is asked all the same, which loads what such questions need
    return unwrap(known);
  };
  return {ask, ready, begin};
};

// Returns `{ask, tasks, ready, opened}`: `ask(question)` promises an answer or fails with a `Fault`, `ask(question, signal)` also
// where it was aborted in time; `tasks` runs long ones, and is null where there are none; `ready` is kept when satjudge has started, where that takes time, and `begin()` lets it start;
// `opened` are the phases to begin with, {position, sheet, rules, follows}; `examples` are cases to look at first, {file, identity, title, says, picture}.
export const connect = async () => {
  const config = await (await fetch('config.json', {cache: 'no-cache'})).json();
  const here = config.engine === 'worker' ? {...inWorker(config), tasks: null} : {ask: overNetwork(), tasks: longTasks};
  return {...here, opened: config.opened ?? [], examples: config.examples ?? []};
};
