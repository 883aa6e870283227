/** The units, or the supply centres, of each power: `{ FRANCE: ["A PAR", "F SPA/SC"] }`. */
export type ByPower = Record<string, string[]>;
/** The dislodged units of each power, each with the places to which it may retreat. */
export type Dislodged = Record<string, Record<string, string[]>>;

/** A phase with its orders, as a line of satjudge's batch format has it. */
export interface Position {
  id?: string | number;
  /** `movement` if it is left out; or with its time, `S1901M`, `F1901R`, `W1901A`. */
  phase?: string;
  /** The units of each power; in a retreat phase those that were not dislodged. */
  units: ByPower;
  /** The orders of each power: `A PAR - BUR`, `A LON - BEL VIA`, `F ENG S A LON - BEL`, `F ENG C A LON - BEL`, `A PAR H`. */
  orders?: ByPower;
  /** In a retreat phase, as the answer to the movement phase before has it. */
  dislodged?: Dislodged;
  /** The supply centres that each power owns: for adjustments, and for `step`. */
  centers?: ByPower;
  /** For `step`: how many centres win, where that is not the map's number. */
  victory?: number;
  /** The names of the map and of the rulebook, which must be the judge's own. */
  map?: string;
  rules?: string;
}

export interface Answer {
  id: string | number | null;
  /** The verdicts of each power's orders, in their order: `succeeds`, `fails`, `given`, `cut, dislodged`, `illegal` … */
  results: ByPower;
  /** After moves: each dislodged unit with its retreats; none if it is destroyed. */
  dislodged?: Dislodged;
  /** The units afterwards, without the dislodged ones. */
  units: ByPower;
  /** After moves: the number of consistent resolutions before any rule for paradoxes. */
  resolutions?: number;
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

/** The questions that a line may ask. */
export const QUESTIONS: { outcome: string; legal: string; next: string; orders: string };

/** A question that the kernel does not answer. */
export class Refusal extends Error {
  /** The unit, order or place that is in no table, if there is one. */
  readonly text: string | null;
}

export interface Judge {
  readonly rulebook: string;
  readonly map: string;
  /** Judge a phase. Throws a `Refusal`. */
  judge(position: Position): Answer;
  /** Judge a phase and go on to the next one. Throws a `Refusal`. */
  step(position: Position): Step;
  /** List the legal orders of each power, by unit, or by centre to build in; or those of one of these. Throws a `Refusal`. */
  legalOrders(position: Position, of?: string): Record<string, ByPower>;
  /** Read orders: legal moves, supports and convoys in full, with coasts, others as they stand. Throws a `Refusal`. */
  read(position: Position): ByPower;
  /** Answer a line of the batch format by a line; or another question about it. Throws a `Refusal`. */
  answer(line: string, question?: keyof typeof QUESTIONS): string;
}

export interface Files {
  /** A table file that `satjudge kernel -o FILE` wrote, by its address or its bytes; else that of datc-3 on the standard map. */
  tables?: string | URL | ArrayBuffer | Uint8Array;
  /** The kernel for these tables, by its address or its bytes. */
  kernel?: string | URL | ArrayBuffer | Uint8Array;
}

/** Load a judge. */
export function load(files?: Files): Promise<Judge>;
