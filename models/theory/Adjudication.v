(** * One resolution where there are several or none, for comparison with other adjudicators

    This is no part of the theorems.  DATC 3.2, 5.B.9: "If they only consist of MOVE orders, then it is a circular movement.
    All MOVE orders become successful.  If there are any CONVOY orders in the cycle, then there is a convoy paradox.  The
    Szykman rule must be applied by setting the CONVOY to fail". *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Procedure Stations.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** A fleet whose convoy fails can as well be said to hold, if the army stays one that is convoyed. *)
Definition without_convoys (board : situation) (failing : pred province) : situation :=
  let changed u :=
    match ordered u with
    | Move to _ => Unit (place u) (owner u) (is_army u) (Move to (convoyed board u))
    | Convoy _ _ => if failing (place u) then Unit (place u) (owner u) (is_army u) Hold else u
    | _ => u
    end in
  Situation [seq changed u | u <- units board] (by_land board) (by_sea board).

Definition in_core (board : situation) (k : knowledge) (p : province) : bool :=
  (p \in open_places board k) && in_ring board p.

(** The board after the rule of Szykman, and what is known once the circular movements succeed. *)
Definition adjudicated (board : situation) : situation * knowledge :=
  let ruled := without_convoys board (in_core board (partial_information board [::])) in
  let k := partial_information ruled [::] in
  (ruled, partial_information ruled ([seq (core, true) | core <- cores ruled k] ++ k)).

(** 2.4, 5.B.11: nobody retreats to where "the PREVENT STRENGTH" of a unit "that attempted to move to the area" is not zero. *)
Definition contested (board : situation) (k : knowledge) : seq province :=
  [seq goes_to m | m <- units board &
    [&& is_move m, ~~ at_least k (place m) & 0 < prevent_strength board (at_least k) m]].

Definition adjudicate (board : situation) : seq province * seq province :=
  let (ruled, k) := adjudicated board in (successes ruled k, contested ruled k).
