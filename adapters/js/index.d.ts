/** The units, or the supply centres, of each power: `{ FRANCE: ["A PAR", "F SPA/SC"] }`. */
export type ByPower = Record<string, string[]>;
/** The dislodged units of each power, each with the places to which it may retreat. */
export type Dislodged = Record<string, Record<string, string[]>>;

/** A phase with its orders, as a line of satjudge's batch format has it. */
export interface Position {
  id?: string | number;
  /** `movement` if it is left out. */
  phase?: "movement" | "retreat" | "adjustment";
  /** The units of each power; in a retreat phase those that were not dislodged. */
  units: ByPower;
  /** The orders of each power: `A PAR - BUR`, `A LON - BEL VIA`, `F ENG S A LON - BEL`, `F ENG C A LON - BEL`, `A PAR H`. */
  orders?: ByPower;
  /** In a retreat phase, as the answer to the movement phase before has it. */
  dislodged?: Dislodged;
  /** In an adjustment phase, the supply centres that each power owns. */
  centers?: ByPower;
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
  /** Answer a line of the batch format by a line. Throws a `Refusal`. */
  answer(line: string): string;
}

export interface Files {
  /** A table file that `satjudge kernel -o FILE` wrote, by its address or its bytes; else that of datc-3 on the standard map. */
  tables?: string | URL | ArrayBuffer | Uint8Array;
  /** The kernel for these tables, by its address or its bytes. */
  kernel?: string | URL | ArrayBuffer | Uint8Array;
}

/** Load a judge. */
export function load(files?: Files): Promise<Judge>;
