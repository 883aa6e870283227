(** * DATC 5.B, the equations of Diplomacy, for a machine to read

    This file states section 5.B of the Diplomacy Adjudicator Test Cases (version 3.2, L. B. Kruijswijk) and proves nothing.
    Read it beside that text.  The author's preferences of chapter 4 are taken where 5.B hangs on one.

    What 5.B leaves out stands before it: "various rule issues, such as coasts or pre-scanning the orders are not covered
    here".  So the input is one legal order for each unit, and provinces without coasts.  No two units share a province
    ([well_placed] in Readings.v).  That a fleet moves to a place where it can go, and that only fleets convoy, is said by the
    orders being legal, and not once more here.

    Not here either: which resolution is taken where there are none or several (5.B.9; Adjudication.v), retreats, and what
    version 2.4 says of 'undecided', minimum and maximum.

    Where the lists of 5.B.1, 2, 5, 6 and 8 of version 3.2 are not at hand, version 2.4 is quoted, whose minimum and maximum
    are one where everything is decided. *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** Units and orders *)

Definition province := nat.
Definition power := nat.

Inductive order :=
  | Hold
  | Move (destination : province) (via_convoy : bool)
  | SupportHold (supported : province)
  | SupportMove (from to : province)
  | Convoy (from to : province).

Record unit := Unit { place : province; owner : power; is_army : bool; ordered : order }.

(** The map is two relations: where an army can go directly, and where a fleet is next to. *)
Record situation := Situation {
  units : seq unit;
  by_land : rel province;
  by_sea : rel province
}.

Definition moves_to (p : province) (m : unit) : bool :=
  if ordered m is Move destination _ then destination == p else false.

Definition is_move (m : unit) : bool :=
  if ordered m is Move _ _ then true else false.

(** Where a move goes.  (A unit that is not ordered to move stays where it is.) *)
Definition goes_to (m : unit) : province :=
  if ordered m is Move destination _ then destination else place m.

Definition same_unit (u v : unit) : bool := place u == place v.

(** Orders that help others match them by origin and destination.  (Neither version has these words; chapter 6 decides so.) *)
Definition supports_move (m s : unit) : bool :=
  if ordered s is SupportMove from to then (from == place m) && moves_to to m else false.

Definition supports_hold (u s : unit) : bool :=
  if ordered s is SupportHold supported then (supported == place u) && ~~ is_move u else false.

Definition convoys_move (m c : unit) : bool :=
  if ordered c is Convoy from to then (from == place m) && moves_to to m else false.

(** Where a support is directed at: "the area where the move is directed", or the supported unit's own. *)
Definition directed_at (s : unit) : province :=
  match ordered s with
  | SupportMove _ to => to
  | SupportHold supported => supported
  | _ => place s
  end.

Section Equations.

Variable board : situation.

(** An assignment: for the unit in each province whether its order, a move, a support or a convoy, succeeds.

    5.A: "There are three active orders that should be adjudicated in success or fail.  The result can be kept in a Boolean,
    were success is True and fail is False." *)
Variable succeeds : province -> bool.

Definition success (u : unit) : bool := succeeds (place u).

Definition unit_in (p : province) : option unit :=
  ohead [seq u <- units board | place u == p].

(** "the number of units supporting … with a successful SUPPORT order" *)
Definition successful_supports (supports : pred unit) : nat :=
  count (fun s => supports s && success s) (units board).

(** ** 5.B.4 PATH

    "The PATH of a move order is successful when the unit can directly move to the destination and is not convoyed or is
    convoyed and there is a chain of adjacent fleets from origin to destination each with a matching and successful CONVOY
    order." *)

(** 4.A.3, which army is convoyed.  It must be if it cannot move directly.  "A convoy route by an Army to an adjacent
    province is not considered unless explicitly identified by that same Power in their Fleet order.  A convoy route for the
    Army can be specified by identifying the Army order with 'via convoy'.  In such a case the land route is disregarded." *)
Definition convoyed (m : unit) : bool :=
  if ordered m is Move destination via_convoy then
    is_army m &&
    [|| ~~ by_land board (place m) destination,
        via_convoy |
        has (fun c => convoys_move m c && (owner c == owner m)) (units board)]
  else false.

(** Fleets "each with a matching and successful CONVOY order". *)
Definition carriers (m : unit) : seq unit :=
  [seq c <- units board | convoys_move m c && success c].

(** Those of them that the army reaches over at most so many others, each adjacent to the next. *)
Fixpoint reached (m : unit) (others : nat) : seq unit :=
  if others is n.+1 then
    let before := reached m n in
    [seq c <- carriers m |
      by_sea board (place c) (place m) || has (fun b => by_sea board (place b) (place c)) before]
  else [seq c <- carriers m | by_sea board (place c) (place m)].

Definition chain (m : unit) : bool :=
  has (fun c => by_sea board (place c) (goes_to m)) (reached m (size (carriers m))).

Definition path (m : unit) : bool :=
  ~~ convoyed m || chain m.

(** ** Head-to-head battles

    Two units ordered to each other's provinces, of which none is convoyed: 2.4, 5.B.10, "two units that move in opposite
    direction will fight a head to head battle or try to swap (by using a convoy)". *)
Definition head_to_head (m n : unit) : bool :=
  [&& moves_to (place n) m, moves_to (place m) n, ~~ convoyed m & ~~ convoyed n].

Definition opposing (m : unit) : seq unit :=
  [seq n <- units board | head_to_head m n].

(** ** 5.B.5 HOLD STRENGTH

    2.4: "In case the area is empty, then the … HOLD STRENGTH is zero.  In case the area contains a unit without a move
    order, then the … HOLD STRENGTH is one plus the number of orders that support this unit and that have a SUPPORT decision
    with status 'given'.  In case the area contains a unit with a move order, then the … is zero when the MOVE decision has
    status 'moves' … one when the MOVE decision has status 'failed'." *)
Definition hold_strength (p : province) : nat :=
  match unit_in p with
  | None => 0
  | Some u =>
    if is_move u then (if success u then 0 else 1)
    else 1 + successful_supports (supports_hold u)
  end.

(** ** 5.B.6 PREVENT STRENGTH

    2.4: "In case the PATH decision of the unit is 'no path' … zero.  Also, when the move is part of a head to head battle
    and the MOVE decision of the opposing unit has status 'moves', then … also zero.  Otherwise, … one plus the number of
    orders that support this move and for which the status of the SUPPORT decision is 'given'." *)
Definition prevent_strength (m : unit) : nat :=
  if ~~ path m then 0
  else if has success (opposing m) then 0
  else 1 + successful_supports (supports_move m).

(** ** 5.B.7 DEFEND STRENGTH

    "The DEFEND STRENGTH of a unit with a move order is one plus the number of units supporting the move with a successful
    SUPPORT order." *)
Definition defend_strength (m : unit) : nat :=
  1 + successful_supports (supports_move m).

(** ** 5.B.8 ATTACK STRENGTH (2.4: 5.B.4)

    Who is attacked: "if the move is part of a head to head battle or the area to which the move is directed contains a unit
    without move order or the area to which the move is directed contains a unit with a move for which the status of the MOVE
    decision is 'fails'". *)
Definition attacked (m : unit) : option unit :=
  if unit_in (goes_to m) is Some u then
    if [|| head_to_head m u, ~~ is_move u | ~~ success u] then Some u else None
  else None.

(** "In case the PATH decision of the unit is 'no path' then … zero."  Against a unit: "zero when the moving unit is of the
    same nationality of the unit that is attacked or otherwise, one plus the number of orders that support this move and for
    which the status of the SUPPORT decision is 'given'.  But only the support orders of units of different nationality of
    the attacked unit should be counted."  Else "one plus the number of orders that support this move and for which the
    status of the SUPPORT decision is 'given'". *)
Definition attack_strength (m : unit) : nat :=
  if ~~ path m then 0
  else if attacked m is Some u then
    if owner m == owner u then 0
    else 1 + successful_supports (fun s => supports_move m s && (owner s != owner u))
  else 1 + successful_supports (supports_move m).

(** ** 5.B.1 MOVE

    2.4: the ATTACK STRENGTH "is larger than" the "DEFEND STRENGTH of the opposing unit in case of a head to head battle or
    otherwise larger than the … HOLD STRENGTH of the attacked area.  And in all cases the … ATTACK STRENGTH is larger than
    the … PREVENT STRENGTH of all of the units moving to the same area."  (A move without a PATH has no strength.) *)
Definition rivals (m : unit) : seq unit :=
  [seq r <- units board | moves_to (goes_to m) r && ~~ same_unit r m].

Definition beats_defence (m : unit) : bool :=
  if opposing m is [::] then hold_strength (goes_to m) < attack_strength m
  else all (fun n => defend_strength n < attack_strength m) (opposing m).

Definition move_decision (m : unit) : bool :=
  [&& path m, beats_defence m & all (fun r => prevent_strength r < attack_strength m) (rivals m)].

(** ** 5.B.2 SUPPORT

    Before 5.A, version 2.4 names "a test whether a support order matches with the order of the unit it supports" among the
    checks that come first.  A support that matches nothing is taken as failed, which no strength reads. *)
Definition matched (s : unit) : bool :=
  has (fun u => supports_move u s || supports_hold u s) (units board).

(** "A support order is cut (fails) when another unit is ordered to move to the province of the supporting unit", of
    another power and with a PATH; "if the support order is a move support, then the unit that is on the area where the move
    is directed, should not be taken into account"; "also … when the DISLODGE decision … has status 'dislodged' (dislodge
    rule)". *)
Definition cuts (s m : unit) : bool :=
  moves_to (place s) m &&
  (success m || [&& owner m != owner s, path m & place m != directed_at s]).

Definition support_decision (s : unit) : bool :=
  matched s && ~~ has (cuts s) (units board).

(** ** 5.B.3 CONVOY

    "The convoy order is successful if the fleet is not dislodged.  So, no other unit has a successful MOVE to the
    province." *)
Definition convoy_decision (c : unit) : bool :=
  ~~ has (fun m => moves_to (place c) m && success m) (units board).

(** ** All decisions: what each order comes to if the others come to what was assumed. *)
Definition decision (u : unit) : bool :=
  match ordered u with
  | Hold => false
  | Move _ _ => move_decision u
  | SupportHold _ | SupportMove _ _ => support_decision u
  | Convoy _ _ => convoy_decision u
  end.

Definition step (p : province) : bool :=
  if unit_in p is Some u then decision u else false.

End Equations.

(** ** Resolutions

    Chapter 5: "The rules are a set of "equations" or "conditions" that should be fulfilled."  A resolution is an assignment that
    the equations leave as it is. *)

Definition is_active (u : unit) : bool := if ordered u is Hold then false else true.

(** The provinces with something to decide. *)
Definition decisions (board : situation) : seq province :=
  [seq place u | u <- units board & is_active u].

Definition consistent (board : situation) (succeeds : province -> bool) : bool :=
  all (fun p => step board succeeds p == succeeds p) (decisions board).

(** All of them, by trying every assignment.  One is written as the list of the provinces whose orders succeed. *)
Fixpoint sublists (ps : seq province) : seq (seq province) :=
  if ps is p :: rest then [seq p :: s | s <- sublists rest] ++ sublists rest else [:: [::]].

Definition assignment (successes : seq province) : province -> bool := fun p => p \in successes.

Definition resolutions (board : situation) : seq (seq province) :=
  [seq s <- sublists (decisions board) | consistent board (assignment s)].
