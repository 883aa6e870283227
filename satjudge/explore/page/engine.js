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

const overNetwork = () => async question => {
  const response = await fetch('ask', {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(question),
  });
  if (!response.ok) throw new Fault({message: `the server refuses: ${await response.text()}`});
  return unwrap(await response.json());
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

// Returns `{ask, tasks}`: `ask(question)` promises an answer or fails with a `Fault`; `tasks` says whether there are long ones.
export const connect = async () => {
  const config = await (await fetch('config.json')).json();
  return {ask: config.engine === 'worker' ? inWorker() : overNetwork(), tasks: config.engine === 'server'};
};
