(** * Partial information is sound, grows, and comes to an end *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** What is known is so under this assignment. *)
Definition agrees (a : province -> bool) (k : knowledge) : Prop := {in k, forall known, a known.1 = known.2}.

Section Partial.

Variable board : situation.
Hypothesis placed : well_placed board.

Local Notation worst := (pessimistic board).
Local Notation best := (optimistic board).

Lemma step_place a (d : unit) : d \in units board -> step board a (place d) = decision board a d.
Proof. by move=> ind; rewrite /step (unit_in_place placed ind). Qed.

Lemma decisions_place (d : unit) : d \in units board -> is_active d -> place d \in decisions board.
Proof. by move=> ind act; apply: map_f; rewrite mem_filter act. Qed.

Lemma decisions_unit p : p \in decisions board -> exists2 d, d \in units board & is_active d /\ place d = p.
Proof. by case/mapP => d; rewrite mem_filter => /andP[act ind] ->; exists d. Qed.

Lemma consistentP a :
  reflect {in units board, forall d, is_active d -> decision board a d = success a d} (consistent board a).
Proof.
apply: (iffP allP) => [all d ind act | all p /decisions_unit[d ind [act <-]]].
  by by have /eqP := all _ (decisions_place ind act); rewrite step_place.
by rewrite step_place //; apply/eqP; apply: all.
Qed.

Lemma view_helped d f g (u : unit) :
  u \in units board -> success (view board d f g) u = if helps d u then f (place u) else g (place u).
Proof. by move=> inu; rewrite /success /view (unit_in_place placed inu). Qed.

(** ** Bounds: what agrees with what is known lies between the pessimist and the optimist *)

Lemma low_agrees a k (u : unit) : agrees a k -> at_least k (place u) -> success a u.
Proof. by move=> ag /ag /=. Qed.

Lemma high_agrees a k (u : unit) : agrees a k -> success a u -> at_most k (place u).
Proof. by move=> ag; apply: contraL => /ag /= ; rewrite /success => ->. Qed.

Lemma worst_bound a k (d : unit) : agrees a k -> d \in units board -> worst k d -> decision board a d.
Proof.
move=> ag ind; apply: decision_better => // u inu _; rewrite view_helped //.
by case: (helps d u); [apply: low_agrees ag | apply: high_agrees ag].
Qed.

Lemma best_bound a k (d : unit) : agrees a k -> d \in units board -> decision board a d -> best k d.
Proof.
move=> ag ind; apply: decision_better => // u inu _; rewrite view_helped //.
by case: (helps d u); [apply: high_agrees ag | apply: low_agrees ag].
Qed.

Lemma learntP k x :
  reflect (exists2 d, d \in units board & is_active d /\
            ((x = (place d, true) /\ worst k d) \/ (x = (place d, false) /\ ~~ best k d)))
          (x \in learnt board k).
Proof.
rewrite mem_cat; apply: (iffP orP).
  by case=> /mapP[d]; rewrite !mem_filter => /and3P[known act ind] ->; exists d => //; split => //; [left | right].
case=> d ind [act [[-> w] | [-> b]]]; [left | right]; apply/mapP; exists d => //.
  by rewrite !mem_filter w act.
by rewrite !mem_filter b act.
Qed.

Lemma learnt_sound a k : consistent board a -> agrees a k -> agrees a (learnt board k).
Proof.
move=> /consistentP cons ag x /learntP[d ind [act [[-> w] | [-> b]]]] /=.
  by rewrite -[a _]/(success a d) -cons //; apply: worst_bound w.
by apply/negbTE; rewrite -[a _]/(success a d) -cons //; apply: contra b => /(best_bound ag ind).
Qed.

Lemma agrees_cat a k l : agrees a k -> agrees a l -> agrees a (k ++ l).
Proof. by move=> ak al x; rewrite mem_cat => /orP[/ak | /al]. Qed.

Lemma agrees_sub a k l : {subset k <= l} -> agrees a l -> agrees a k.
Proof. by move=> sub al x /sub /al. Qed.

Lemma news_sub k : {subset news board k <= learnt board k}.
Proof. by move=> x; rewrite mem_filter => /andP[]. Qed.

Lemma learn_sound a n k : consistent board a -> agrees a k -> agrees a (learn board n k).
Proof.
move=> cons; elim: n k => //= n IH k ag; case E: (news board k) => [|x xs] //.
apply: IH; apply: agrees_cat => //; rewrite -E.
exact: agrees_sub (@news_sub k) (learnt_sound cons ag).
Qed.

(** ** Theorem (sound): every resolution agrees with what partial information settles. *)
Theorem partial_information_sound a k :
  consistent board a -> agrees a k -> agrees a (partial_information board k).
Proof. exact: learn_sound. Qed.

(** ** Theorem (monotone): who knows more learns no less. *)
Lemma learn_extends n k : {subset k <= learn board n k}.
Proof.
elim: n k => [|n IH] k x inx //=; case E: (news board k) => [|y ys] //.
by apply: IH; rewrite mem_cat inx.
Qed.

Theorem partial_information_extends k : {subset k <= partial_information board k}.
Proof. exact: learn_extends. Qed.

Theorem learnt_monotone k l : {subset k <= l} -> {subset learnt board k <= learnt board l}.
Proof.
move=> sub; have least u : at_least k u -> at_least l u by apply: sub.
have most u : at_most l u -> at_most k u by apply: contra => /sub.
move=> x /learntP[d ind [act known]]; apply/learntP; exists d => //; split=> //.
case: known => [[-> w] | [-> b]]; [left | right]; split=> //.
  by apply: decision_better w => // u inu _; rewrite !view_helped //; case: (helps d u); auto.
by apply: contra b; apply: decision_better => // u inu _; rewrite !view_helped //; case: (helps d u); auto.
Qed.

(** ** It comes to an end: nothing new is left *)

Definition closed (k : knowledge) : Prop := news board k = [::].

Lemma closed_sub k : closed k -> {subset learnt board k <= k}.
Proof.
move=> cl x inx; case E: (x \in k) => //.
have: x \in news board k by rewrite mem_filter E.
by rewrite cl.
Qed.

Let questions := [seq (p, value) | p <- decisions board, value <- [:: true; false]].

Lemma news_questions k : {subset news board k <= questions}.
Proof.
move=> x /news_sub /learntP[d ind [act known]].
by case: known => [[-> _] | [-> _]]; apply: allpairs_f; rewrite ?decisions_place ?inE.
Qed.

Lemma learn_closed n k : count (fun q => q \notin k) questions <= n -> closed (learn board n k).
Proof.
elim: n k => [|n IH] k /=.
  rewrite leqn0 => /eqP none; rewrite /closed; case E: (news board k) => [|x xs] //.
  have inx : x \in news board k by rewrite E inE eqxx.
  have: has (fun q => q \notin k) questions.
    by apply/hasP; exists x; [apply: news_questions inx | move: inx; rewrite mem_filter => /andP[]].
  by rewrite has_count none.
move=> small; case E: (news board k) => [|x xs] //.
apply: IH; rewrite -ltnS; apply: leq_trans small; rewrite -E.
have inx : x \in news board k by rewrite E inE eqxx.
have fresh : x \notin k by move: inx; rewrite mem_filter => /andP[].
have := news_questions inx; elim: questions => //= q qs IHq.
rewrite inE => /predU1P[<- | inq].
  rewrite fresh mem_cat inx orbT /= add0n add1n ltnS; apply: sub_count => y /=.
  by rewrite mem_cat negb_or => /andP[].
rewrite mem_cat negb_or; case: (q \in k) => /=; first exact: IHq.
by case: (q \in news board k) => /=; rewrite ?add0n ?add1n ?ltnS; [apply: ltnW | ]; apply: IHq.
Qed.

Theorem partial_information_closed k : closed (partial_information board k).
Proof.
apply: learn_closed; apply: leq_trans (count_size _ _) _.
by rewrite size_allpairs mulnC leq_mul2l /= /decisions size_map size_filter count_size.
Qed.

End Partial.
