// Judges phases of Diplomacy with the compiled kernel of satjudge and a table file. No rule is written here.
//
// What the two files are, and how a host calls them, is in satjudge's docs/guides/kernel.md.

const FORMAT = "satjudge tables 1\n";
const ALIGNED = 64;
const ODD = -1;
const TEXTS = 3n;
const KEYS = ["id", "map", "rules", "phase", "units", "dislodged", "centers", "victory", "orders"]; // phase before orders
const OF_PHASE = { dislodged: "retreat", centers: "adjustment", victory: "" }; // to judge, only this phase has them
const FULL_NAME = /^[SFW]\d/;
/** The questions that a line may ask, by the functions of the kernel. */
export const QUESTIONS = { outcome: "answer_line", legal: "legal_line", next: "next_line", orders: "orders_line" };
const DATA = new URL("./data/", import.meta.url);

/** A question that the kernel does not answer; `text` is the unit, order or place that it does not know, if there is one. */
export class Refusal extends Error {
  constructor(message, text = null) {
    super(message);
    this.name = "Refusal";
    this.text = text;
  }
}

/** Load a judge. `tables` and `kernel` are addresses or bytes of other files than those that come with the package. */
export async function load({ tables = new URL("standard.datc-3.tables", DATA), kernel = new URL("kernel.wasm", DATA) } = {}) {
  const [module, read] = await Promise.all([bytesOf(kernel).then((code) => WebAssembly.compile(code)), readTables(tables)]);
  return new Judge(module, read);
}

/** Read a file by its address: of the web, or of the disk where there is one. */
async function bytesOf(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const address = new URL(source, import.meta.url);
  if (address.protocol === "file:" && typeof process !== "undefined") {
    return (await import("node:fs/promises")).readFile(address);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be read: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Read the header of a table file, and its contents as they lie in the memory; parts may stand in files beside it. */
async function readTables(source) {
  const file = await bytesOf(source);
  const start = new TextEncoder().encode(FORMAT);
  const end = file.indexOf(10, start.length);
  if (end < 0 || !start.every((byte, place) => file[place] === byte)) throw new Error("this is no table file of satjudge");
  const header = JSON.parse(new TextDecoder().decode(file.subarray(start.length, end)));
  let place = end + 1;
  const parts = header.parts.map((part) =>
    part.file ? bytesOf(new URL(part.file, new URL(source, import.meta.url))) : file.subarray(place, (place += part.deflated)),
  );
  return { header, parts: await Promise.all(parts.map(async (part) => inflated(await part))) };
}

async function inflated(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Write a position as a line, with the keys that matter. */
function lineOf(position, matters = () => true) {
  const known = [...KEYS, "of"];
  const unknown = Object.keys(position).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Refusal(`a position has no key ${unknown} (there are ${KEYS.join(", ")})`);
  const given = known.filter((key) => position[key] !== undefined && matters(key));
  return JSON.stringify(Object.fromEntries(given.map((key) => [key, position[key]])));
}

/** A judge for one map and rulebook. It answers one question at a time, at once. */
class Judge {
  #module;
  #tables;
  #memory;
  #base;
  #functions;
  #line;
  #written;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  constructor(module, tables) {
    this.#module = module;
    this.#tables = tables;
    this.#begin();
  }

  /** The name of the rulebook. */
  get rulebook() {
    return this.#tables.header.rulebook;
  }

  /** The name of the map. */
  get map() {
    return this.#tables.header.map;
  }

  /** Make an instance, as what stopped the one before may have left it in no state to go on from. */
  #begin() {
    const { header, parts } = this.#tables;
    const { exports } = new WebAssembly.Instance(this.#module);
    this.#base = Math.ceil(Number(exports.first_free()) / ALIGNED) * ALIGNED;
    const missing = this.#base + header.memory - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
    this.#memory = new Uint8Array(exports.memory.buffer);
    parts.reduce((place, part) => (this.#memory.set(part, place), place + part.length), this.#base);
    if (!exports[header.functions.load](BigInt(this.#base))) throw new Error("the table file is for another kernel");
    this.#functions = Object.fromEntries(
      Object.entries(QUESTIONS).map(([question, name]) => [question, exports[header.functions[name]]]),
    );
    this.#line = this.#bytes("line");
    this.#written = this.#bytes("written");
  }

  /** Return an array of bytes in the memory. */
  #bytes(name) {
    const { at, shape } = this.#tables.header.arrays[name];
    return this.#memory.subarray(this.#base + at, this.#base + at + shape[0]);
  }

  /** Judge a phase, and return what becomes of it, as `satjudge batch` writes it. Throws a `Refusal`. */
  judge(position) {
    const { phase = "movement" } = position;
    if (FULL_NAME.test(phase)) return this.step(position).judged;
    return JSON.parse(this.answer(lineOf(position, (key) => (OF_PHASE[key] ?? phase) === phase)));
  }

  /** Judge a phase and go on: the outcome as `judged`, the `next` position, and how the game has `ended`. Throws a `Refusal`. */
  step(position) {
    return JSON.parse(this.answer(lineOf(position), "next"));
  }

  /** List the legal orders of each power, by unit or by centre to build in; or those of one of these. Throws a `Refusal`. */
  legalOrders(position, of = "") {
    return JSON.parse(this.answer(lineOf({ ...position, ...(of && { of }) }), "legal")).legal;
  }

  /** Read the orders of a position: legal moves in full, with coasts, others as they stand. Throws a `Refusal`. */
  read(position) {
    return JSON.parse(this.answer(lineOf(position), "orders")).orders;
  }

  /** Answer a line of the batch format, or another question about it (`QUESTIONS`). Throws a `Refusal`. */
  answer(line, question = "outcome") {
    const { read, written } = this.#encoder.encodeInto(line, this.#line);
    if (read < line.length) throw new Refusal(`the line is too long: more than ${this.#line.length} bytes`);
    const size = this.#called(question, written);
    if (size < 0) throw this.#refusal(size, line);
    return this.#decoder.decode(this.#written.subarray(0, size));
  }

  #called(question, length) {
    const asked = this.#functions[question];
    if (!asked) throw new Refusal(`the tables of ${this.map} do not answer: ${question}`);
    try {
      return Number(asked(BigInt(length)));
    } catch (error) {
      this.#begin();
      throw error;
    }
  }

  #refusal(size, line) {
    if (size === ODD) return new Refusal(`the position is impossible, or written in an unusual way: ${line}`);
    const { arrays } = this.#tables.header;
    const numbers = (name) => new BigInt64Array(this.#memory.buffer, this.#base + arrays[name].at);
    const wanted = numbers("wanted").subarray(0, 2 * Number(numbers("counters")[2]));
    for (let pair = 0; pair < wanted.length; pair += 2) {
      if (wanted[pair] === TEXTS) {
        const key = wanted[pair + 1];
        const text = line.slice(Number(key >> 32n), Number((key >> 4n) & 0xfffffffn));
        return new Refusal(`${JSON.stringify(text)} is in no table of ${this.map} under ${this.rulebook}`, text);
      }
    }
    return new Refusal("an order to another unit than it names is in no table");
  }
}
