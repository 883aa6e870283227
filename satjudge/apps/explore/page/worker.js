// satjudge in this browser: Python (Pyodide) with satjudge in its file system. Only the static site has what this loads.
//
// The first message is the site's `config.json`, each other one a question as JSON text; the next comes after its answer. What was
// compiled by the first start is kept in the browser, since most of a start is compiling.

const HERE = new URL('.', import.meta.url);
const RUNTIME = new URL('runtime/', HERE).href;
const PACKAGES = '/lib/python3.14/site-packages';
const LATER = '/lib/later';
const KEPT = 'satjudge explore';
const QUIET = 1500;  // milliseconds without a question, after which there is time to compile

const ASK = `
from satjudge.apps.explore.questions import answer_question
lambda question: answer_question(question).decode()
`;
const COMPILE = `
from pathlib import Path
from satjudge.apps.explore.bytecode import compile_loaded_modules
steps = compile_loaded_modules(Path("/lib/python314.zip"), Path("${PACKAGES}"), Path("/tmp/compiled"))
lambda: next(steps)
`;

const fetched = async address => {
  const response = await fetch(new URL(address, HERE));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response;
};

// The files of a pack, a tar archive that is compressed unless a server has undone that: [path, bytes].
const members = async response => {
  let buffer = await response.arrayBuffer();
  const [first, second] = new Uint8Array(buffer, 0, 2);
  if (first === 0x1f && second === 0x8b) {
    buffer = await new Response(new Blob([buffer]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  }
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(buffer, at, length)).replace(/\0.*/s, '');
  const found = [];
  for (let at = 0; at < buffer.byteLength && text(at, 1);) {
    const size = parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155);
    const isFile = text(at + 156, 1) === '0';
    if (isFile) found.push([`${prefix && `${prefix}/`}${text(at, 100)}`, new Uint8Array(buffer, at + 512, size)]);
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return found;
};

const install = (FS, files, folder) => {
  const made = new Set();
  for (const [path, bytes] of files) {
    const parent = `${folder}/${path.slice(0, path.lastIndexOf('/') + 1)}`;
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(`${folder}/${path}`, bytes, {canOwn: true});
  }
};

// What an earlier start has kept, by the pack that it is of: {library, packages}; nothing where nothing is kept.
const keptName = (config, part) => new URL(`compiled/${config.pack}/${part}`, HERE).href;
const kept = async config => {
  const cache = await self.caches?.open(KEPT);
  const [library, packages] = await Promise.all(['library', 'packages'].map(part => cache?.match(keptName(config, part))));
  return library && packages ? {library, packages} : null;
};
const keep = async (config, parts) => {
  const cache = await caches.open(KEPT);
  const older = (await cache.keys()).filter(({url}) => url.startsWith(new URL('compiled/', HERE).href));
  await Promise.all(older.map(one => cache.delete(one)));
  for (const [part, bytes] of Object.entries(parts)) await cache.put(keptName(config, part), new Response(bytes));
};

const start = async config => {
  const earlier = await kept(config).catch(() => null);
  const packages = earlier?.packages ?? fetched(config.pack);
  const {loadPyodide} = await import(`${RUNTIME}pyodide.js`);
  const python = await loadPyodide({
    indexURL: RUNTIME,
    stdLibURL: earlier ? URL.createObjectURL(await earlier.library.blob()) : `${RUNTIME}python_stdlib.zip`,
    createPyodideModule: async settings => (await import(`${RUNTIME}pyodide.asm.js`)).default(settings),
    lockFileContents: {info: {python: '3.14.2', platform: 'emscripten_5_0_3', arch: 'wasm32', abi_version: '2026_0'}, packages: {}},
    packageBaseUrl: RUNTIME,
    env: {PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: LATER},
    fsInit: async FS => install(FS, await members(await packages), PACKAGES),
  });
  return {config, python, ask: python.runPython(ASK), isCompiled: Boolean(earlier)};
};

// The answer as JSON text; what seldom is needed is fetched when it is. What no question should raise is told, and the next
// question is answered all the same, unless Python itself has ended.
const answer = async (engine, question) => {
  try {
    return engine.ask(question);
  } catch (error) {
    if (!error.type || error.pyodide_fatal_error) throw error;
    if (error.type !== 'ModuleNotFoundError' || engine.hasAll) {
      const last = error.message.trim().split('\n').at(-1);
      return JSON.stringify({fault: {message: `satjudge failed on this question: ${last}`}});
    }
  }
  const {FS} = engine.python;
  install(FS, await members(await fetched(engine.config.later)), LATER);
  engine.python.runPython('import importlib; importlib.invalidate_caches()');
  engine.hasAll = true;
  return answer(engine, question);
};

// Compiles what is loaded, a module at a time so that no question waits for long, and keeps that where the browser lets it.
const compile = async engine => {
  engine.isCompiled = true;
  const step = engine.python.runPython(COMPILE);
  while (step()) await new Promise(resolve => setTimeout(resolve));
  const read = name => engine.python.FS.readFile(`/tmp/compiled/${name}`);
  await keep(engine.config, {library: read('library.zip'), packages: read('packages.tar')});
};

let engine = null;
let pause = null;
const compileWhenQuiet = started => {
  clearTimeout(pause);
  if (started.isCompiled) return;
  pause = setTimeout(() => compile(started).then(() => postMessage({kept: true}), console.warn), QUIET);
};
self.addEventListener('message', async ({data: {config, question}}) => {
  try {
    engine ??= start(config);
    const started = await engine;
    if (config) postMessage({ready: true});
    else postMessage({told: await answer(started, question)});
    compileWhenQuiet(started);
  } catch (error) {
    await self.caches?.delete(KEPT).catch(() => null);  // perhaps that is what is wrong
    postMessage({failed: String(error.message ?? error)});
  }
});
