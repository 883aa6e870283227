/** The units, or the supply centres, of each power: `{ FRANCE: ["A PAR", "F SPA/SC"] }`. */
export type ByPower<Text extends string = string> = Record<string, Text[]>;
/** The dislodged units of each power, each with the places to which it may retreat. */
export type Dislodged = Record<string, Record<string, string[]>>;

/** A phase with its orders, as a line of satjudge's batch format has it. */
export interface Position {
  /** Whatever the caller likes; it comes back in the answer. */
  id?: unknown;
  /** `movement` if it is left out; or with its time, `S1901M`, `F1901R`, `W1901A`. */
  phase?: "movement" | "retreat" | "adjustment" | (string & {});
  /** The units of each power; in a retreat phase those that were not dislodged. */
  units: ByPower;
  /** The orders of each power: the README has their forms. */
  orders?: ByPower;
  /** In a retreat phase, as the answer to the movement phase before has it. */
  dislodged?: Dislodged;
  /** The supply centres that each power owns. Adjustments need it, and so does `step` in Fall, where units capture centres. */
  centers?: ByPower;
  /** For `step`: how many centres win, where that is not the map's number. */
  victory?: number;
  /** The names of the map and of the rulebook, which must be the judge's own. */
  map?: string;
  rules?: string;
}

/** What became of an order. */
export type Word =
  /** It is impossible here, and ignored. */
  | "illegal"
  /** A support, convoy or move by convoy that no other order matches. */
  | "invalid"
  /** A hold: the unit stays. */
  | "stands"
  /** A move, retreat, build or removal that is carried out. */
  | "succeeds"
  /** A move that is not carried out; a retreat that bounces, so that the unit is gone. */
  | "fails"
  /** A support that counts, or does not. */
  | "given" | "cut"
  /** A fleet that could carry the army, or cannot. */
  | "available" | "disrupted"
  /** On some maps only: a move by railroad that ends early, and a permission to pass a canal. */
  | "stops" | "granted";
/** What became of a unit that was driven out: it may retreat somewhere, or nowhere. */
export type Fate = "dislodged" | "destroyed";
/** A word, and the fate of the unit behind it if it was driven out. Of a hold nothing but the fate is said then. */
export type Verdict = Word | `${Word}, ${Fate}` | Fate;

export interface Answer {
  id: unknown;
  /** The verdicts of each power's orders, in their order. */
  results: ByPower<Verdict>;
  /** After moves: each dislodged unit with its retreats; none if it is destroyed. */
  dislodged?: Dislodged;
  /** The units afterwards, without the dislodged ones. */
  units: ByPower;
  /** After moves: the number of consistent resolutions before any rule for paradoxes. */
  resolutions?: number;
  /** After moves: true, as all of them were counted. */
  complete?: boolean;
  /** After moves: the rules for circles and paradoxes that were applied, each with its orders. */
  rulings?: { rule: string; core: string[] }[];
  /** After adjustments: the units that civil disorder removed. */
  automatic?: ByPower;
}

export interface Step {
  /** What `judge` says. */
  judged: Answer;
  /** The next phase in which anybody has anything to do; with `orders` it is the next question. */
  next: Position & { phase: string };
  /** How the game has ended, `FRANCE has won`; null while it goes on. */
  ended: string | null;
}

/** A line that somebody has typed. */
export interface Line {
  power: string;
  /** Where it stood among those of its power. */
  index: number;
  text: string;
  /** What it means, in full where that is legal; null if it cannot be read. */
  order: string | null;
  /** Where `order` stands among the `orders` of its power, and its verdict among the `results`; null if it cannot be read. */
  place: number | null;
  /** True if it can be carried out here, as far as that hangs on the orders of its own power. */
  legal: boolean;
  /** What is wrong with it, in the words of satjudge; null if it is legal. */
  problem: string | null;
}

export interface Checked {
  lines: Line[];
  /** The orders that could be read: what to judge. */
  orders: ByPower;
}

export interface Province {
  name: string;
  kind: "inland" | "coast" | "sea";
  /** `["NC", "SC"]` where fleets stand on one of several coasts; else none. */
  coasts: string[];
  /** True if it has a supply centre. */
  center: boolean;
  /** The power in whose home it lies, if it is a home centre. */
  home: string | null;
  /** How people call it, in small letters. */
  called: string[];
}

/** The questions that a line may ask. */
export const QUESTIONS: { outcome: string; legal: string; next: string; orders: string };

/** A question that the kernel does not answer. What is wrong stands at `position[key][power][index]`, as far as these are told. */
export class Refusal extends Error {
  /** The unit, order or place that is wrong. */
  readonly text: string | null;
  readonly key: string | null;
  readonly power: string | null;
  readonly index: number | null;
}

export interface Judge {
  readonly rulebook: string;
  readonly map: string;
  /** The position in which a game begins: `{ phase: "S1901M", units, centers }`. It is frozen. */
  readonly start: Position & { phase: string; centers: ByPower };
  /** The name of each power: `{ FRANCE: "France" }`. */
  readonly powers: Readonly<Record<string, string>>;
  /** The provinces by their codes. */
  readonly provinces: Readonly<Record<string, Province>>;
  /** Judge a phase. Throws a `Refusal`. */
  judge(position: Position): Answer;
  /** Judge a phase and go on to the next one. Throws a `Refusal`. */
  step(position: Position): Step;
  /** List the legal orders of each power, by unit, or by centre to build in; or those of one of these. Throws a `Refusal`. */
  legalOrders(position: Position, of?: string): Record<string, ByPower>;
  /** Count what each power may build in an adjustment phase; what it must remove is negative. Throws a `Refusal`. */
  due(position: Position): Record<string, number>;
  /** Read typed orders line by line. Throws a `Refusal` only for what is wrong with the position itself. */
  check(position: Position): Checked;
  /** Read orders: legal moves, supports and convoys in full, with coasts, others as they stand. Throws a `Refusal`. */
  read(position: Position): ByPower;
  /** Answer a line of the batch format by a line; or another question about it. Throws a `Refusal`. */
  answer(line: string, question?: keyof typeof QUESTIONS): string;
}

/** Which files to load: addresses, or bytes. A relative address is one of the page, or of the folder that a program was started in. */
export interface Files {
  /** A table file that `satjudge kernel -o FILE` wrote; else that of datc-3 on the standard map. */
  tables?: string | URL | ArrayBuffer | Uint8Array;
  /** The kernel for these tables. */
  kernel?: string | URL | ArrayBuffer | Uint8Array;
}

/** Load a judge. */
export function load(files?: Files): Promise<Judge>;
