(** * Each equation is monotone in what it reads: rising in what helps, falling in the rest *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq.
From SatjudgeTheory Require Import Specification Readings.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Monotone.

Variable board : situation.
Hypothesis placed : well_placed board.

(** [b] is at least as good for the order [d] as [a], as far as its equation reads. *)
Definition better_for (d : unit) (a b : province -> bool) : Prop :=
  {in units board, forall u, reads board d u ->
    if helps d u then success a u -> success b u else success b u -> success a u}.

Variables a b : province -> bool.

Section Station.

Variable s : unit.
Hypothesis stays : ~~ is_move s.
Hypothesis better : better_for s a b.

Lemma station_reads (u : unit) :
  u \in units board -> is_active u -> target u = place s -> success b u -> success a u.
Proof.
move=> inu act tgt; move: (better inu).
by rewrite /reads /helps (negbTE stays) act tgt eqxx /=; apply.
Qed.

Lemma station_path (m : unit) :
  is_move m -> target m = place s -> path board b m -> path board a m.
Proof.
move=> mm tgt; apply: path_le => c inc /convoys_move_facts[act _ _ tc].
by apply: station_reads => //; rewrite tc.
Qed.

Lemma support_better : support_decision board a s -> support_decision board b s.
Proof.
rewrite /support_decision => /andP[-> /=]; apply: contra => /hasP[m inm /andP[into cut]].
apply/hasP; exists m => //; rewrite /cuts into /=.
move: into; rewrite moves_toE => /andP[mm /eqP tgt].
case/orP: cut => [win | /and3P[-> pm ->]].
  by rewrite (station_reads inm (move_active mm) tgt win).
by rewrite (station_path mm tgt pm) orbT.
Qed.

Lemma convoy_better : convoy_decision board a s -> convoy_decision board b s.
Proof.
apply: contra => /hasP[m inm /andP[into win]]; apply/hasP; exists m => //; rewrite into /=.
by move: into; rewrite moves_toE => /andP[mm /eqP tgt]; apply: station_reads => //; apply: move_active.
Qed.

End Station.

Section Move.

Variable m : unit.
Hypothesis inm : m \in units board.
Hypothesis moves : is_move m.
Hypothesis better : better_for m a b.

Lemma for_it (u : unit) : u \in units board -> reads board m u -> helps m u -> success a u -> success b u.
Proof. by move=> inu rd hp; move: (better inu rd); rewrite hp. Qed.

Lemma against_it (u : unit) : u \in units board -> reads board m u -> ~~ helps m u -> success b u -> success a u.
Proof. by move=> inu rd /negbTE hp; move: (better inu rd); rewrite hp. Qed.

(** What helps another unit does not help this move. *)
Lemma rival_not_helped (r u : unit) :
  place r <> place m -> ~~ is_move u -> supports_move r u || convoys_move r u -> ~~ helps m u.
Proof.
move=> other stays; rewrite /helps (negbTE stays) moves /= orbF negb_or.
case/orP=> [sr | cr].
  rewrite (supports_not_convoys _ sr) andbT; apply/negP => sm.
  exact: other (supports_one sr sm).
apply/andP; split; apply/negP => hm; first by rewrite (supports_not_convoys _ hm) in cr.
exact: other (convoys_one cr hm).
Qed.

Lemma holder_not_helped (r u : unit) : ~~ is_move u -> supports_hold r u -> ~~ helps m u.
Proof.
move=> stays hold.
by rewrite /helps (negbTE stays) moves (holds_not_moves _ hold) (holds_not_convoys _ hold).
Qed.

Lemma reads_same (u : unit) : is_active u -> ~~ is_move u -> target u = target m -> reads board m u.
Proof. by move=> act stays tgt; rewrite /reads act moves stays tgt eqxx. Qed.

Lemma reads_leaver (u : unit) : is_move u -> place u = target m -> reads board m u && helps m u.
Proof.
by move=> mu at_; rewrite /reads /helps moves (move_active mu) mu at_ eqxx /= !orbT.
Qed.

Lemma own_path : path board a m -> path board b m.
Proof.
apply: path_le => c inc cm; have [act stays _ tgt] := convoys_move_facts cm.
by apply: for_it => //; [apply: reads_same | rewrite /helps moves cm orbT].
Qed.

Lemma own_supports (P : pred unit) :
  successful_supports board a (fun s => supports_move m s && P s) <=
  successful_supports board b (fun s => supports_move m s && P s).
Proof.
apply: supports_le => s ins /andP[sm _]; have [act stays _ tgt] := supports_move_facts sm.
by apply: for_it => //; [apply: reads_same | rewrite /helps moves sm].
Qed.

Lemma own_supports_all :
  successful_supports board a (supports_move m) <= successful_supports board b (supports_move m).
Proof.
apply: supports_le => s ins sm; have [act stays _ tgt] := supports_move_facts sm.
by apply: for_it => //; [apply: reads_same | rewrite /helps moves sm].
Qed.

Lemma rival_path (r : unit) :
  is_move r -> target r = target m -> place r <> place m -> path board b r -> path board a r.
Proof.
move=> mr tr other; apply: path_le => c inc cr; have [act stays _ tgt] := convoys_move_facts cr.
apply: against_it => //; first by apply: reads_same; rewrite // tgt.
by apply: (rival_not_helped other) => //; rewrite cr orbT.
Qed.

Lemma prevent_falls (r : unit) :
  is_move r -> target r = target m -> place r <> place m ->
  prevent_strength board b r <= prevent_strength board a r.
Proof.
move=> mr tr other; rewrite /prevent_strength.
case pb: (path board b r) => //=; rewrite (rival_path mr tr other pb) /=.
case wb: (has (success b) _) => //; case wa: (has (success a) _) => /=; last first.
  apply: supports_le => s ins sr; have [act stays _ tgt] := supports_move_facts sr.
  apply: against_it => //; first by apply: reads_same; rewrite // tgt.
  by apply: (rival_not_helped other) => //; rewrite sr.
case/hasP: wa => n opp win; move/negP: wb; case; apply/hasP; exists n => //.
move: opp; rewrite mem_filter => /andP[/and4P[rn nr _ _] inn].
move: rn nr; rewrite !moves_toE => /andP[_ /eqP rn] /andP[mn _].
have /andP[rd hp] : reads board m n && helps m n by apply: reads_leaver => //; rewrite -rn.
exact: for_it win.
Qed.

Lemma hold_falls : hold_strength board b (goes_to m) <= hold_strength board a (goes_to m).
Proof.
rewrite /hold_strength goes_to_target //; case E: (unit_in _ _) => [u|] //.
have [inu at_] := unit_in_some E; case: ifP => mu.
  have /andP[rd hp] := reads_leaver mu at_; case: ifP => // fb; case: ifP => // /(for_it inu rd hp).
  by rewrite fb.
rewrite leq_add2l; apply: supports_le => s ins sh; have [act stays _ tgt] := supports_hold_facts sh.
apply: against_it => //; first by apply: reads_same; rewrite // tgt.
exact: holder_not_helped sh.
Qed.

Lemma defend_falls (n : unit) :
  n \in opposing board m -> place n <> place m -> defend_strength board b n <= defend_strength board a n.
Proof.
move=> opp other; rewrite leq_add2l.
apply: supports_le => s ins sn; have [act stays mn tgt] := supports_move_facts sn.
apply: against_it => //; last by apply: (rival_not_helped other) => //; rewrite sn.
rewrite /reads act moves /=; do 2 (apply/orP; right).
by apply/hasP; exists n.
Qed.

Lemma attack_rises : attack_strength board a m <= attack_strength board b m.
Proof.
rewrite /attack_strength; case pa: (path board a m) => //=; rewrite (own_path pa) /=.
have small o : successful_supports board a (fun s => supports_move m s && o s) <=
               successful_supports board b (supports_move m).
  apply: leq_trans (own_supports_all); apply: count_le => s _.
  by case/andP=> /andP[-> _] ->.
rewrite /attacked goes_to_target //; case E: (unit_in _ _) => [u|]; last by rewrite ltnS own_supports_all.
have [inu at_] := unit_in_some E.
case Aa: [|| _, _ | _]; last first.
  move/negbT: Aa; rewrite !negb_or !negbK => /and3P[/negbTE -> mu win]; rewrite mu /=.
  have /andP[rd hp] := reads_leaver mu at_.
  by rewrite (for_it inu rd hp win) /= ltnS own_supports_all.
by case: [|| _, _ | ~~ success b u]; case: (owner m == owner u) => //=; rewrite leq_add2l ?own_supports // small.
Qed.

Lemma move_better : move_decision board a m -> move_decision board b m.
Proof.
rewrite /move_decision => /and3P[pa beats /allP wins]; rewrite own_path //=; apply/andP; split; last first.
  apply/allP => r inr; apply: leq_trans attack_rises; apply: leq_ltn_trans (wins r inr).
  move: inr; rewrite mem_filter moves_toE goes_to_target // => /andP[/andP[/andP[mr /eqP tr] other] _].
  by apply: prevent_falls => //; apply/eqP.
move: beats; rewrite /beats_defence; case E: (opposing board m) => [|n ns].
  by move=> beats; apply: leq_trans attack_rises; apply: leq_ltn_trans beats; apply: hold_falls.
move/allP => beats; apply/allP => o ino; apply: leq_trans attack_rises; apply: leq_ltn_trans (beats o ino).
apply: defend_falls; first by rewrite E.
move=> same; move: (beats o ino); rewrite -E mem_filter in ino; case/andP: ino => /and4P[mo om cm _] ino.
have {same} eq : o = m by apply: (same_place placed).
subst o; move: mo; rewrite moves_toE => /andP[_ /eqP at_].
rewrite /attack_strength pa /= /attacked goes_to_target // at_ (unit_in_place placed inm).
by rewrite /head_to_head moves_toE moves at_ eqxx cm /= eqxx.
Qed.

End Move.

(** ** Theorem (monotone): what is better for an order by 5.E's views never makes it fail. *)
Theorem decision_better (d : unit) :
  d \in units board -> better_for d a b -> decision board a d -> decision board b d.
Proof.
move=> ind better; rewrite /decision.
case E: (ordered d) => //.
- by apply: move_better => //; rewrite /is_move E.
- by apply: support_better => //; rewrite /is_move E.
- by apply: support_better => //; rewrite /is_move E.
- by apply: convoy_better => //; rewrite /is_move E.
Qed.

End Monotone.

(** ** Theorem 1 (one target): an equation comes to the same where all that it may read is the same. *)
Theorem decision_same board (placed : well_placed board) (d : unit) (a b : province -> bool) :
  d \in units board -> {in units board, forall u, reads board d u -> success a u = success b u} ->
  decision board a d = decision board b d.
Proof.
move=> ind same; apply/idP/idP; apply: decision_better => // u inu rd; rewrite (same u inu rd); by case: ifP.
Qed.

(** In words: "What the orders at a station read has its target there."  Where the unit in a province stays, its order and
    every move there read only orders whose target is that province. *)
Theorem one_target board (placed : well_placed board) (q d u : unit) :
  q \in units board -> u \in units board -> ~~ is_move q -> (d == q) || moves_to (place q) d -> reads board d u ->
  target u = place q.
Proof.
move=> inq inu stays; rewrite moves_toE /reads.
case/orP=> [/eqP -> | /andP[-> /eqP tgt]]; first by rewrite (negbTE stays) => /andP[_ /eqP].
case/andP=> _ /or3P[/andP[_ /eqP -> //] | /andP[mu /eqP at_] | /hasP[n]].
  by move: stays; rewrite -(same_place placed inu inq) ?mu // at_.
rewrite mem_filter => /andP[/andP[dn _] inn] sn; move: dn; rewrite moves_toE => /andP[_ /eqP at_].
have [_ _ mn _] := supports_move_facts sn.
by move: stays; rewrite -(same_place placed inn inq) ?mn // -at_.
Qed.
