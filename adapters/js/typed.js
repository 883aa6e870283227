// Puts what people type in the words that the kernel reads: `Army Paris to Burgundy` becomes `A PAR - BUR`. Which words mean what
// is said by the table file (its map in words); whether an order can be carried out is for the kernel to say.

const PIECE = /[a-z0-9]+|[-‐‑–—−=]*>|[→⇒➔]|[-‐‑–—−=~]+|\S/g;
const WORD = /^[a-z0-9]/;
const BETWEEN = /^[\s.'_-]*$/; // between the words of a name: `St. Petersburg`, `North-Africa`
const ARROW = /^([→⇒➔~]|[-‐‑–—−=]+>?|>)$/;
const SILENT = new Set("., : ( ) [ ] / ' ! * • ` _ \" “ ” „ \u200b".split(" ").flatMap((signs) => [...signs]));
const MOST_WORDS = 6;
// What strikes something out, a sign within an order that nobody uses for moving, an empty box, and what begins a comment or a quotation.
const ODD = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb]|~~|!(?=.*[a-z0-9-])|[([{]\s*[)\]}]|^\s*(?:-(?:\s*-|[a-z])|[;>])|\/\/|[-‐‑–—=~*]\/|\/[-‐‑–—=~*→]/i;

/** Tell whether a text is odd, or has a star that is no mark of a list and has no other beside it, as footnotes do. */
function isOdd(text) {
  const stars = text.replace(/^\s*\*/, "").match(/\*/g)?.length ?? 0;
  return ODD.test(text) || (stars % 2 === 1 && !text.trim().startsWith("*"));
}

/** The words of a map. */
export class Wording {
  #meanings = new Map();
  #coasts = new Map();
  #coasted = new Set();

  constructor({ provinces, words, coasts }) {
    for (const [sign, spelt] of Object.entries(words)) {
      for (const word of spelt) if (!this.#meanings.has(word)) this.#meanings.set(word, { sign });
    }
    for (const [code, province] of Object.entries(provinces)) {
      for (const name of [code.toLowerCase(), ...(province.called ?? [])]) this.#meanings.set(name, { sign: code, isPlace: true });
      if (province.coasts) this.#coasted.add(code);
    }
    for (const [coast, spelt] of Object.entries(coasts)) for (const word of spelt) this.#coasts.set(word, `/${coast}`);
  }

  /** Write an order in the words of the kernel; a word that means nothing here stays, in capitals. */
  order(text, isRetreat = false) {
    if (isOdd(text.normalize("NFD"))) return text.toUpperCase(); // which the kernel refuses
    const pieces = piecesOf(text);
    const found = [];
    for (let at = 0; at < pieces.length; ) {
      const { sign, isPlace = false, coast = "", pieces: count } = this.#next(pieces, at, found.at(-1));
      if (coast) found.at(-1).sign += coast;
      else if (sign) found.push({ sign, isPlace });
      at += count;
    }
    return arranged(found.map(({ sign }) => sign), isRetreat).join(" ");
  }

  /** Find what stands at a place: the longest name that there is, or a sign. */
  #next(pieces, at, before) {
    if (before?.isPlace && this.#coasted.has(before.sign)) {
      const from = "/(-".includes(pieces[at].text) && at + 1 < pieces.length ? at + 1 : at;
      for (const { key, end } of runs(pieces, from)) if (this.#coasts.has(key)) return { coast: this.#coasts.get(key), pieces: end - at };
    }
    for (const { key, end } of runs(pieces, at)) if (this.#meanings.has(key)) return { ...this.#meanings.get(key), pieces: end - at };
    const { text } = pieces[at];
    return { sign: ARROW.test(text) ? "-" : SILENT.has(text) ? "" : text.toUpperCase(), pieces: 1 };
  }
}

/** Take a text apart, in small letters without accents; each piece with what stands between it and the one before. */
function piecesOf(text) {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return [...plain.matchAll(PIECE)].map(({ 0: piece, index }) => ({ text: piece, begin: index, end: index + piece.length, plain }));
}

/** Join the words from a place on to keys, the longest first. */
function runs(pieces, at) {
  const found = [];
  let key = "";
  for (let place = at, last = null; place < pieces.length && found.length < MOST_WORDS; place++) {
    const piece = pieces[place];
    if (!WORD.test(piece.text)) continue;
    if (last ? !BETWEEN.test(piece.plain.slice(last.end, piece.begin)) : place > at) break;
    key = last ? `${key} ${piece.text}` : piece.text;
    found.push({ key, end: place + 1 });
    last = piece;
  }
  return found.reverse();
}

/** Put the words of an order where the kernel has them. */
function arranged(words, isRetreat) {
  let order = words.filter((word, place) => word !== "-" || !["-", "R"].includes(words[place - 1]));
  if (order[0] === "-") order = order.slice(1); // a list, or `move A PAR to BUR`
  if (["B", "D", "H"].includes(order[0]) && order.length > 1) order = [...order.slice(1), order[0]]; // `build A PAR`
  if (order.includes("S") && !order.includes("-") && order.at(-1) === "H") order = order.slice(0, -1); // `A PAR S A MAR H`
  return isRetreat ? order.map((word) => (word === "-" ? "R" : word)) : order;
}
