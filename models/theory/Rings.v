(** * Going on from one to the next in a finite set, one comes to a ring *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** The least number of a sequence. *)
Fixpoint least (s : seq nat) : nat :=
  if s is x :: t then if t is [::] then x else minn x (least t) else 0.

Lemma least_in s : s != [::] -> least s \in s.
Proof.
elim: s => // x [|y t] IH _; first by rewrite inE eqxx.
by rewrite /= -/(least (y :: t)) inE /minn; case: ltnP => _; rewrite ?eqxx // IH ?orbT.
Qed.

Lemma least_le s x : x \in s -> least s <= x.
Proof.
elim: s => // y [|z t] IH; first by rewrite inE => /eqP ->.
rewrite inE /= -/(least (z :: t)) geq_min => /predU1P[-> | inx]; first by rewrite leqnn.
by rewrite IH ?orbT.
Qed.

Lemma least_same s t : s != [::] -> t != [::] -> s =i t -> least s = least t.
Proof.
by move=> s0 t0 same; apply/eqP; rewrite eqn_leq !least_le // ?same ?least_in // -same least_in.
Qed.

Section Rings.

Variable f : nat -> nat.
Variable n : nat.

Lemma iter_comm i x : f (iter i f x) = iter i f (f x).
Proof. by rewrite -iterS iterSr. Qed.

Definition returns x := x \in traject f (f x) n.

(** The number of steps until one is back. *)
Definition period x := (index x (traject f (f x) n)).+1.

Lemma periodP x : returns x -> iter (period x) f x = x /\ period x <= n.
Proof.
move=> back; have lt : index x (traject f (f x) n) < n by rewrite -{2}(size_traject f (f x) n) index_mem.
by split=> //; rewrite /period iterSr -(nth_traject f lt) nth_index.
Qed.

Lemma returns_by i x : 0 < i <= n -> iter i f x = x -> returns x.
Proof.
case: i => // i lt eq; rewrite /returns -[X in X \in _]eq iterSr -(nth_traject f lt).
by apply: mem_nth; rewrite size_traject.
Qed.

Lemma returns_next i x : returns x -> returns (iter i f x).
Proof.
move=> back; have [eq le] := periodP back.
by apply: (@returns_by (period x)); rewrite // -iterD addnC iterD eq.
Qed.

Lemma in_traject i x : returns x -> iter i f x \in traject f x n.
Proof.
move=> back; have [eq le] := periodP back.
have loop : looping f x (period x) by rewrite /looping eq; apply/trajectP; exists 0.
have /trajectP[j lt ->] := loopingP loop i.
by apply/trajectP; exists j => //; apply: leq_trans le.
Qed.

Lemma back_by i x : returns x -> exists j, iter j f (iter i f x) = x.
Proof.
move=> back; have [eq _] := periodP back; exists (i * (period x).-1 ).
have all j : iter (j * period x) f x = x by elim: j => // j IH; rewrite mulSn iterD IH.
by rewrite -iterD addnC -mulnS.
Qed.

Lemma ring_same i x : returns x -> traject f (iter i f x) n =i traject f x n.
Proof.
move=> back y; apply/idP/idP => /trajectP[j _ ->]; first by rewrite -iterD in_traject.
have [l eq] := back_by i back; have -> : iter j f x = iter (j + l) f (iter i f x) by rewrite iterD eq.
by apply: in_traject; apply: returns_next.
Qed.

Section Closed.

Variable s : seq nat.
Hypothesis stays : {in s, forall x, f x \in s}.

Lemma stays_on i x : x \in s -> iter i f x \in s.
Proof. by move=> inx; elim: i => // i IH; apply: stays. Qed.

Hypothesis small : size s <= n.

(** From everywhere one comes to a ring within [n] steps. *)
Lemma comes_to_ring x : x \in s -> returns (iter n f x).
Proof.
move=> inx; have loop : looping f x n.
  rewrite -[looping _ _ _]negbK -looping_uniq; apply/negP => u.
  have sub : {subset traject f x n.+1 <= s} by move=> y /trajectP[i _ ->]; apply: stays_on.
  by move: (leq_trans (uniq_leq_size u sub) small); rewrite size_traject ltnn.
have /trajectP[i lt eq] := loop; apply: (@returns_by (n - i)); first by rewrite subn_gt0 lt leq_subr.
by rewrite [in LHS]eq -iterD subnK // ltnW.
Qed.

End Closed.

(** The ring that one comes to, by its least number. *)
Definition lead x := least (traject f (iter n f x) n).

Hypothesis positive : 0 < n.

Lemma traject_some x : traject f x n != [::].
Proof. by case: n positive. Qed.

Lemma lead_next x : returns (iter n f x) -> lead (f x) = lead x.
Proof.
move=> back; apply: least_same; rewrite ?traject_some // -iter_comm.
exact: (ring_same 1).
Qed.

Lemma lead_iter i x : returns (iter n f x) -> lead (iter i f x) = lead x.
Proof.
move=> back; elim: i => //= i IH; rewrite lead_next //.
by rewrite -iterD addnC iterD; apply: returns_next.
Qed.

Lemma lead_ring x : returns x -> lead x = least (traject f x n).
Proof. by move=> back; apply: least_same; rewrite ?traject_some //; apply: ring_same. Qed.

Lemma lead_reached x : returns (iter n f x) -> exists i, lead x = iter i f x.
Proof.
move=> back; have := least_in (traject_some (iter n f x)).
by move=> /trajectP[i _ eq]; exists (i + n); rewrite iterD.
Qed.

Lemma lead_returns x : returns (iter n f x) -> returns (lead x).
Proof.
move=> back; have := least_in (traject_some (iter n f x)).
by rewrite -/(lead x) => /trajectP[i _ ->]; apply: returns_next.
Qed.

Lemma lead_lead x : returns (iter n f x) -> lead (lead x) = lead x.
Proof. by move=> back; have [i eq] := lead_reached back; rewrite {1}eq lead_iter. Qed.

Lemma lead_least x : returns x -> all (leq x) (traject f x n) = (lead x == x).
Proof.
move=> back; rewrite lead_ring //; apply/idP/eqP => [/allP le | <-].
  by apply/eqP; rewrite eqn_leq le ?least_in ?traject_some // andbT least_le // (in_traject 0 back).
apply/allP => y; have := least_in (traject_some x) => /trajectP[i _ eq].
by rewrite eq ring_same // -eq; apply: least_le.
Qed.

End Rings.
