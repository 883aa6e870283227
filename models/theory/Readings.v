(** * What an equation reads, and with which sign

    Theorem 1 of docs/papers/cores.md: each order has one target, and what the orders at a station read has its target there.
    Each reading has one sign: what speaks for a move are its own supports and convoys, and that the unit at its destination
    leaves; all else speaks against.  DATC 5.E rests on that. *)

From Coq Require Import Setoid.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From SatjudgeTheory Require Import Specification.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** Definitions *)

(** The one target of an order. *)
Definition target (u : unit) : province :=
  match ordered u with
  | Hold => place u
  | Move to _ | SupportHold to | SupportMove _ to | Convoy _ to => to
  end.

(** What an equation may read.  Of a move: supports and convoys with the same target, the move of the unit at its
    destination, and the supports of an opposing unit.  Of a support or a convoy: orders with its own province as target. *)
Definition reads (board : situation) (d u : unit) : bool :=
  is_active u &&
  if is_move d then
    [|| ~~ is_move u && (target u == target d),
        is_move u && (place u == target d) |
        has (fun n => supports_move n u) (opposing board d)]
  else target u == place d.

Definition helps (d u : unit) : bool :=
  is_move d && [|| supports_move d u, convoys_move d u | is_move u && (place u == target d)].

(** Units stand in provinces of their own. *)
Definition well_placed (board : situation) : bool := uniq [seq place u | u <- units board].

(** ** Units can be compared *)

Lemma order_eq_dec (x y : order) : {x = y} + {x <> y}.
Proof. by do ?[decide equality | exact: eq_comparable]. Qed.

Lemma unit_eq_dec (u v : unit) : {u = v} + {u <> v}.
Proof. by decide equality; try exact: order_eq_dec; decide equality; decide equality. Qed.

Definition unit_eqMixin := comparableMixin unit_eq_dec.
Canonical unit_eqType := EqType unit unit_eqMixin.

(** ** Orders *)

Lemma goes_to_target (m : unit) : is_move m -> goes_to m = target m.
Proof. by rewrite /is_move /goes_to /target; case: (ordered m). Qed.

Lemma moves_toE p (m : unit) : moves_to p m = is_move m && (target m == p).
Proof. by rewrite /moves_to /is_move /target; case: (ordered m). Qed.

Lemma move_active (m : unit) : is_move m -> is_active m.
Proof. by rewrite /is_move /is_active; case: (ordered m). Qed.

Lemma supports_move_facts (m s : unit) :
  supports_move m s -> [/\ is_active s, ~~ is_move s, is_move m & target s = target m].
Proof.
rewrite /supports_move /is_active [is_move s]/is_move [target s]/target.
by case: (ordered s) => // from to; rewrite moves_toE => /and3P[_ -> /eqP ->].
Qed.

Lemma supports_hold_facts (u s : unit) :
  supports_hold u s -> [/\ is_active s, ~~ is_move s, ~~ is_move u & target s = place u].
Proof.
rewrite /supports_hold /is_active [is_move s]/is_move [target s]/target.
by case: (ordered s) => // p /andP[/eqP -> ->].
Qed.

Lemma convoys_move_facts (m c : unit) :
  convoys_move m c -> [/\ is_active c, ~~ is_move c, is_move m & target c = target m].
Proof.
rewrite /convoys_move /is_active [is_move c]/is_move [target c]/target.
by case: (ordered c) => // from to; rewrite moves_toE => /and3P[_ -> /eqP ->].
Qed.

Lemma supports_one (m n s : unit) : supports_move m s -> supports_move n s -> place m = place n.
Proof. by rewrite /supports_move; case: (ordered s) => // f t /andP[/eqP <- _] /andP[/eqP <- _]. Qed.

Lemma convoys_one (m n c : unit) : convoys_move m c -> convoys_move n c -> place m = place n.
Proof. by rewrite /convoys_move; case: (ordered c) => // f t /andP[/eqP <- _] /andP[/eqP <- _]. Qed.

Lemma supports_not_convoys (m n s : unit) : supports_move m s -> convoys_move n s = false.
Proof. by rewrite /supports_move /convoys_move; case: (ordered s). Qed.

Lemma holds_not_moves (m n s : unit) : supports_hold m s -> supports_move n s = false.
Proof. by rewrite /supports_move /supports_hold; case: (ordered s). Qed.

Lemma holds_not_convoys (m n s : unit) : supports_hold m s -> convoys_move n s = false.
Proof. by rewrite /convoys_move /supports_hold; case: (ordered s). Qed.

(** ** Units of a board *)

Section Board.

Variable board : situation.
Hypothesis placed : well_placed board.

Lemma same_place (u v : unit) : u \in units board -> v \in units board -> place u = place v -> u = v.
Proof.
move: placed; rewrite /well_placed; elim: (units board) => //= w us IH /andP[no uniq_us].
rewrite !inE => /predU1P[-> | inu] /predU1P[-> | inv] // eq.
- by move/negP: no; case; rewrite eq; apply: map_f.
- by move/negP: no; case; rewrite -eq; apply: map_f.
- exact: IH.
Qed.

Lemma unit_in_some p (u : unit) : unit_in board p = Some u -> u \in units board /\ place u = p.
Proof.
rewrite /unit_in; case E: [seq _ <- _ | _] => [|v vs] //= [<-].
have: v \in [seq u <- units board | place u == p] by rewrite E inE eqxx.
by rewrite mem_filter => /andP[/eqP -> ->].
Qed.

Lemma unit_in_place (u : unit) : u \in units board -> unit_in board (place u) = Some u.
Proof.
move=> inu; case E: (unit_in board (place u)) => [v|].
  by have [inv eq] := unit_in_some E; rewrite (same_place inv inu eq).
move: E; rewrite /unit_in; case E: [seq _ <- _ | _] => //= _.
have: u \in [seq v <- units board | place v == place u] by rewrite mem_filter eqxx.
by rewrite E.
Qed.

Lemma unit_in_none p (u : unit) : unit_in board p = None -> u \in units board -> place u <> p.
Proof. by move=> none inu eq; move: (unit_in_place inu); rewrite eq none. Qed.

(** ** Strengths and paths, one assignment beside another *)

Section Compared.

Variables a b : province -> bool.

Lemma count_le (us : seq unit) (P Q : pred unit) :
  {in us, forall u, P u -> Q u} -> count P us <= count Q us.
Proof.
elim: us => //= u us IH sub; apply: leq_add; last by apply: IH => v inv; apply: sub; rewrite inE inv orbT.
by case E: (P u) => //; rewrite (sub u) // inE eqxx.
Qed.

Lemma supports_le (P : pred unit) :
  {in units board, forall u, P u -> success a u -> success b u} ->
  successful_supports board a P <= successful_supports board b P.
Proof.
by move=> sub; apply: count_le => u inu /andP[Pu su]; rewrite Pu sub.
Qed.

Lemma reached_more s (m : unit) n : {subset reached board s m n <= reached board s m n.+1}.
Proof.
elim: n => [|n IH] c; rewrite /= !mem_filter.
  by case/andP=> -> ->.
case/andP=> /orP[-> -> // | /hasP[d ind near] ->]; rewrite andbT; apply/orP; right.
by apply/hasP; exists d => //; apply: IH.
Qed.

Lemma reached_upto s (m : unit) n k : n <= k -> {subset reached board s m n <= reached board s m k}.
Proof.
move/subnK <-; elim: (k - n) => [|i IH] // c /IH; rewrite addSn; exact: reached_more.
Qed.

Section Path.

Variable m : unit.
Hypothesis more : {in units board, forall c, convoys_move m c -> success a c -> success b c}.

Lemma carriers_le : {subset carriers board a m <= carriers board b m}.
Proof.
by move=> c; rewrite !mem_filter => /andP[/andP[cm sc] inc]; rewrite cm inc more.
Qed.

Lemma reached_le n : {subset reached board a m n <= reached board b m n}.
Proof.
elim: n => [|n IH] c; rewrite /= !(mem_filter _ _ (carriers _ _ _)) => /andP[near inc]; rewrite (carriers_le inc) andbT //.
case/orP: near => [-> // | /hasP[d ind near]]; apply/orP; right.
by apply/hasP; exists d => //; apply: IH.
Qed.

Lemma path_le : path board a m -> path board b m.
Proof.
rewrite /path => /orP[-> // | /hasP[c inc near]]; apply/orP; right.
apply/hasP; exists c => //; apply: reached_upto (reached_le inc).
by rewrite /carriers !size_filter; apply: count_le => u inu /andP[cu su]; rewrite cu more.
Qed.

End Path.

End Compared.

End Board.
