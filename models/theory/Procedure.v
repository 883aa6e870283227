(** * Partial information, cores, and all resolutions from two trials for each core

    This file states the procedure and proves nothing. *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** What is known: for some provinces whether their order succeeds. *)
Definition knowledge := seq (province * bool).

Definition contradictory (k : knowledge) : bool :=
  has (fun known => (known.1, ~~ known.2) \in k) k.

Section Procedure.

Variable board : situation.

(** ** 5.E, the partial information algorithm

    "In the optimistic scenario the optimistic ATTACK STRENGTH is calculated but for the STRENGTH values of any opposing unit
    the pessimistic value is used.  Similar, in the optimistic scenario of a SUPPORT or CONVOY order the pessimistic result
    is used for any unit that can let the order fail."  "It will try both optimistic and pessimistic scenarios and if they are in
    agreement the order is resolved." *)

Definition at_least (k : knowledge) (p : province) : bool := (p, true) \in k.
Definition at_most (k : knowledge) (p : province) : bool := (p, false) \notin k.

Definition view (d : unit) (helpers others : province -> bool) (p : province) : bool :=
  if unit_in board p is Some u then if helps d u then helpers p else others p else others p.

Definition pessimistic (k : knowledge) (d : unit) : bool := decision board (view d (at_least k) (at_most k)) d.
Definition optimistic (k : knowledge) (d : unit) : bool := decision board (view d (at_most k) (at_least k)) d.

Definition active : seq unit := [seq d <- units board | is_active d].

Definition learnt (k : knowledge) : knowledge :=
  [seq (place d, true) | d <- active & pessimistic k d] ++ [seq (place d, false) | d <- active & ~~ optimistic k d].

Definition news (k : knowledge) : knowledge := [seq new <- learnt k | new \notin k].

Fixpoint learn (rounds : nat) (k : knowledge) : knowledge :=
  if rounds is n.+1 then if news k is [::] then k else learn n (k ++ news k) else k.

(** Rounds enough that nothing new is left to learn: each but the last settles one decision, or contradicts one. *)
Definition partial_information (k : knowledge) : knowledge := learn (2 * size (units board)) k.

Definition is_open (k : knowledge) (d : unit) : bool :=
  [&& is_active d, ~~ at_least k (place d) & at_most k (place d)].

Definition open_places (k : knowledge) : seq province := [seq place d | d <- units board & is_open k d].

(** ** Cores: where one comes back by going from each order to its target *)

Definition aim (p : province) : province := if unit_in board p is Some u then target u else p.

Definition ring (p : province) : seq province := traject aim p (size (units board)).

Definition in_ring (p : province) : bool := p \in ring (aim p).

(** Each ring by the first of its provinces. *)
Definition cores (k : knowledge) : seq province :=
  [seq p <- open_places k | in_ring p && all (leq p) (ring p)].

(** ** Two trials for each core *)

Definition trials (k : knowledge) (core : province) : seq bool :=
  [seq value <- [:: true; false] | ~~ contradictory (partial_information ((core, value) :: k))].

Fixpoint choices (k : knowledge) (cs : seq province) : seq knowledge :=
  if cs is core :: rest then
    if trials k core is [::] then [::]
    else [seq (core, value) :: choice | value <- trials k core, choice <- choices k rest]
  else [:: [::]].

Definition successes (k : knowledge) : seq province := [seq p <- decisions board | at_least k p].

Definition solve : seq (seq province) :=
  let k := partial_information [::] in
  [seq successes (partial_information (choice ++ k)) | choice <- choices k (cores k)].

End Procedure.
