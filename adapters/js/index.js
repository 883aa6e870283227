// Judges phases of Diplomacy with the compiled kernel of satjudge and a table file. No rule is written here.
//
// What the two files are, and how a host calls them, is in satjudge's docs/guides/kernel.md.
import { reasonFor } from "./reasons.js";
import { Wording } from "./typed.js";

const FORMAT = "satjudge tables 1\n";
const ALIGNED = 64;
const KEYS = ["id", "map", "rules", "phase", "units", "dislodged", "centers", "victory", "orders"]; // phase before orders
const OF_PHASE = { dislodged: "retreat", centers: "adjustment", victory: "" }; // to judge, only this phase has them
const FULL_NAME = /^[SFW]\d/;
const NUMBERED_KEYS = ["id", "units", "orders", "phase", "dislodged", "centers", "map", "rules", "of", "victory"]; // as causes name them
/** The questions that a line may ask, by the functions of the kernel. */
export const QUESTIONS = { outcome: "answer_line", legal: "legal_line", next: "next_line", orders: "orders_line" };

/** A question that the kernel does not answer; it says where in the position what it does not know stands, if it can. */
export class Refusal extends Error {
  constructor(message, { text = null, key = null, power = null, index = null } = {}) {
    super(message);
    this.name = "Refusal";
    Object.assign(this, { text, key, power, index });
  }
}

/** Load a judge. `tables` and `kernel` are addresses or bytes of other files than those that come with the package. */
export async function load(files = {}) {
  const known = ["tables", "kernel"];
  const unknown = Object.keys(files).find((key) => !known.includes(key));
  if (typeof files !== "object" || unknown !== undefined) {
    const given = typeof files === "object" ? `no option ${unknown}` : `options, not ${JSON.stringify(files)}`;
    throw new TypeError(`load has ${given}: there are ${known.join(" and ")}; another map or rulebook is another file of tables`);
  }
  const { tables, kernel } = files;
  const [module, read] = await Promise.all([
    compiled(kernel === undefined ? new URL("./data/kernel.wasm", import.meta.url) : await addressOf(kernel)),
    readTables(tables === undefined ? new URL("./data/standard.datc-3.tables", import.meta.url) : await addressOf(tables)),
  ]);
  return new Judge(module, read);
}

// ---- files ----

/** Find the address of a file, as a page or a program would; bytes stay what they are. */
async function addressOf(source) {
  if (typeof source !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(source)) return typeof source === "string" ? new URL(source) : source;
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (base) return new URL(source, base);
  const { pathToFileURL } = await import("node:url");
  return pathToFileURL(source); // from where the program was started
}

async function bytesOf(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source.protocol === "file:" && typeof process !== "undefined") {
    return (await import("node:fs/promises")).readFile(source);
  }
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} cannot be read: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Fail as a file is not what it should be; many servers answer with a page where there is no file. */
function isNo(what, source, file) {
  const called = source instanceof URL ? source.href : "what was given";
  const begins = JSON.stringify(new TextDecoder("latin1").decode(file.subarray(0, 20)));
  return new Error(`${called} is not a ${what} of satjudge: it begins with ${begins}`);
}

const isBegun = (file, start) => start.every((byte, place) => file[place] === byte);

async function compiled(source) {
  const code = await bytesOf(source);
  if (!isBegun(code, [0, 97, 115, 109])) throw isNo("kernel", source, code);
  return WebAssembly.compile(code);
}

/** Read the header of a table file, its contents as they lie in the memory, and its map in words; parts may be files beside it. */
async function readTables(source) {
  const file = await bytesOf(source);
  const start = new TextEncoder().encode(FORMAT);
  const end = file.indexOf(10, start.length);
  if (end < 0 || !isBegun(file, start)) throw isNo("table file", source, file);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(start.length, end)));
  let place = end + 1;
  const read = [...header.parts, header.about].map((part) => {
    if (!part.file) return file.subarray(place, (place += part.deflated));
    if (source instanceof URL) return bytesOf(new URL(part.file, source));
    throw new Error(`the table file has a part in a file beside it, ${part.file}: give its address, or \`satjudge kernel -o\` writes one piece`);
  });
  const parts = await Promise.all(read.map(async (part) => inflated(await part)));
  const about = JSON.parse(new TextDecoder().decode(parts.pop()));
  return { header, parts, about };
}

async function inflated(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// ---- lines ----

/** Write a position as a line, with the keys that matter. */
function lineOf(position, matters = () => true) {
  if (typeof position !== "object" || position === null) throw new Refusal(`a position is an object, not ${JSON.stringify(position)}`);
  const known = [...KEYS, "of"];
  const unknown = Object.keys(position).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Refusal(`a position has no key ${unknown} (there are ${KEYS.join(", ")})`, { key: unknown });
  if (/^adjustment$|A$/.test(position.phase ?? "") && position.centers === undefined) {
    throw new Refusal("an adjustment phase needs `centers`: what each power owns", { key: "centers" });
  }
  const given = known.filter((key) => position[key] !== undefined && key !== "id" && matters(key));
  return JSON.stringify(Object.fromEntries(given.map((key) => [key, position[key]])));
}

/** Find the power and the text that a cause names by numbers; neither in a line that is no JSON. */
function named(line, key, which, index) {
  try {
    const [power, of] = Object.entries(JSON.parse(line)[key])[which];
    return { power, text: (Array.isArray(of) ? of : Object.keys(of))[index] ?? null };
  } catch {
    return { power: null, text: null };
  }
}

const frozen = (value) => (typeof value === "object" && value ? Object.freeze(mapped(value, frozen)) : value);
const mapped = (value, change) =>
  Array.isArray(value) ? value.map(change) : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]));

// ---- the judge ----

/** A judge for one map and rulebook. It answers one question at a time, at once. */
class Judge {
  #module;
  #tables;
  #memory;
  #base;
  #functions;
  #line;
  #written;
  #wording;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  constructor(module, tables) {
    this.#module = module;
    this.#tables = tables;
    const { start, powers, provinces } = tables.about;
    const whole = mapped(provinces, (province) => ({ coasts: [], center: false, home: null, called: [], ...province }));
    /** The position in which a game begins. */
    this.start = frozen(start);
    /** The name of each power. */
    this.powers = frozen(powers);
    /** The provinces by their codes. */
    this.provinces = frozen(whole);
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
    this.#functions = mapped(QUESTIONS, (name) => exports[header.functions[name]]);
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
    const { phase = "movement", id = null } = position ?? {};
    if (FULL_NAME.test(phase)) return this.step(position).judged;
    return { ...JSON.parse(this.answer(lineOf(position, (key) => (OF_PHASE[key] ?? phase) === phase))), id };
  }

  /** Judge a phase and go on: the outcome as `judged`, the `next` position, and how the game has `ended`. Throws a `Refusal`. */
  step(position) {
    const { judged, ...told } = JSON.parse(this.answer(lineOf(position), "next"));
    return { judged: { ...judged, id: position.id ?? null }, ...told };
  }

  /** List the legal orders of each power, by unit or by centre to build in; or those of one of these. Throws a `Refusal`. */
  legalOrders(position, of = "") {
    return JSON.parse(this.answer(lineOf({ ...position, ...(of && { of }) }), "legal")).legal;
  }

  /** Count the builds that each power may order in an adjustment phase; what it must remove is negative. Throws a `Refusal`. */
  due(position) {
    const sites = mapped(this.legalOrders(position), (of) => Object.values(of).map(([first]) => first));
    const builds = mapped(sites, (orders) => orders.filter((order) => order.endsWith(" B")));
    const { results, automatic = {} } = this.judge({ ...position, orders: builds });
    const built = mapped(results, (verdicts) => verdicts.filter((verdict) => verdict === "succeeds").length);
    const counts = { ...built, ...mapped(automatic, (units) => -units.length) };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count));
  }

  /** Read the orders of a position: legal moves in full, with coasts, others as they stand. Throws a `Refusal`. */
  read(position) {
    return JSON.parse(this.answer(lineOf(position), "orders")).orders;
  }

  /**
   * Check orders that people have typed, line by line: what each means, and what is wrong with it. `orders` are those that can be
   * read, to be judged. Throws a `Refusal` for what is wrong with the position itself.
   */
  check(position) {
    this.judge({ ...position, orders: {} });
    const lines = [], orders = {};
    for (const [power, texts] of Object.entries(position.orders ?? {})) {
      const own = texts.map((text, index) => ({ power, index, text, ...this.#understood(position, power, String(text)) }));
      const readable = own.filter(({ order }) => order !== null);
      orders[power] = readable.map(({ order }) => order);
      const verdicts = this.judge({ ...position, orders: { [power]: orders[power] } }).results[power] ?? [];
      const counts = verdicts.map((verdict) => !verdict.startsWith("illegal")), legal = orders[power].filter((_, place) => counts[place]);
      for (const [place, line] of readable.entries()) {
        Object.assign(line, { place, legal: counts[place] });
        const above = orders[power].slice(0, place), before = above.filter((_, other) => counts[other]);
        line.problem = line.legal ? null
          : reasonFor(this, position, line, { legal, before, above, isLegalAlone: this.#isLegalAlone(position, line) }) ?? "illegal here";
      }
      lines.push(...own);
    }
    return { lines, orders };
  }

  /** Read an order as it stands, or else as what people type. */
  #understood(position, power, text) {
    const isRetreat = /R$|^retreat$/.test(position.phase ?? "");
    this.#wording ??= new Wording(this.#tables.about);
    const words = this.#wording.order(text, isRetreat);
    for (const form of new Set(isRetreat ? [words, text] : [text, words])) {
      try {
        return { order: this.read({ ...position, orders: { [power]: [form] } })[power][0], place: null, legal: false, problem: null };
      } catch (error) {
        if (!(error instanceof Refusal) || (error.key !== null && error.key !== "orders")) throw error;
      }
    }
    const odd = words.split(" ").filter((word) => !this.#isWord(word));
    const problem = odd.length ? `${JSON.stringify(odd.join(" "))} means nothing here` : "this is not an order";
    return { order: null, place: null, legal: false, problem };
  }

  #isWord(word) {
    const [code, coast] = word.split("/");
    return word in this.#tables.about.words || (code in this.provinces && (!coast || this.provinces[code].coasts.includes(coast)));
  }

  #isLegalAlone(position, { power, order }) {
    return !this.judge({ ...position, orders: { [power]: [order] } }).results[power][0].startsWith("illegal");
  }

  /** Answer a line of the batch format, or another question about it (`QUESTIONS`). Throws a `Refusal`. */
  answer(line, question = "outcome") {
    const { read, written } = this.#encoder.encodeInto(line, this.#line);
    if (read < line.length) throw new Refusal(`the line is too long: more than ${this.#line.length} bytes`);
    const size = this.#called(question, written);
    if (size < 0) throw this.#refusal(line);
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

  /** Say why a line was refused, and where in it that stands. */
  #refusal(line) {
    const { arrays, causes } = this.#tables.header;
    const told = new BigInt64Array(this.#memory.buffer, this.#base + arrays.cause.at, 6);
    const [cause, numbered, which, index, from, to] = Array.from(told, Number);
    const key = NUMBERED_KEYS[numbered] ?? null;
    const place = named(line, key, which, index);
    const text = from < 0 ? place.text : line.slice(from, to);
    const where = { text, key, power: place.power, index: index < 0 ? null : index };
    return new Refusal(text === null ? causes[cause] : `${JSON.stringify(text)}: ${causes[cause]}`, where);
  }
}
