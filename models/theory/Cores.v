(** * Theorem 5 of docs/papers/cores.md: cores are by themselves, and the procedure finds all resolutions *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Rings.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma agrees_sane a k : agrees a k -> ~~ contradictory k.
Proof.
move=> ag; apply/hasP => [[[p b] inx /= inn]].
by move: (ag _ inx) (ag _ inn) => /= -> /esym; case: b {inx inn}.
Qed.

Section Board.

Variable board : situation.
Hypothesis placed : well_placed board.

Local Notation n := (size (units board)).
Local Notation go := (aim board).
Local Notation lead := (lead go n).

Section Knowledge.

Variable k : knowledge.
Hypothesis k_closed : closed board k.
Hypothesis k_sane : ~~ contradictory k.

Local Notation open := (is_open k).

Lemma open_small : size (open_places board k) <= n.
Proof. by rewrite size_map size_filter count_size. Qed.

Lemma open_stays : {in open_places board k, forall p, go p \in open_places board k}.
Proof. by move=> p inp; apply: aim_open. Qed.

Lemma open_positive p : p \in open_places board k -> 0 < n.
Proof. by case/open_placesP => d; case: (units board). Qed.

Lemma open_returns p : p \in open_places board k -> returns go n (iter n go p).
Proof. by move=> inp; apply: (comes_to_ring open_stays open_small inp). Qed.

Lemma open_lead p : p \in open_places board k -> lead p \in open_places board k.
Proof.
move=> inp; have [i ->] := lead_reached (open_positive inp) (open_returns inp).
exact: (stays_on open_stays).
Qed.

Lemma coresP r : r \in cores board k = [&& r \in open_places board k, returns go n r & lead r == r].
Proof.
rewrite mem_filter andbC; case inr: (r \in open_places board k) => //=.
rewrite -[in_ring board r]/(returns go n r); case ret: (returns go n r) => //=.
by rewrite -(lead_least (open_positive inr)).
Qed.

(** Whatever is open leads to a core. *)
Lemma lead_core p : p \in open_places board k -> lead p \in cores board k.
Proof.
move=> inp; have pos := open_positive inp; have ret := open_returns inp.
by rewrite coresP open_lead // lead_returns //= lead_lead.
Qed.

Lemma lead_target (d : unit) : d \in units board -> open d -> lead (target d) = lead (place d).
Proof.
move=> ind od; have inp : place d \in open_places board k by apply/open_placesP; exists d.
by rewrite -(aim_place placed ind) lead_next ?(open_positive inp) ?open_returns.
Qed.

(** An open order looks only at what leads to the same core. *)
Lemma same_core (d u : unit) :
  d \in units board -> open d -> u \in units board -> open u -> reads board d u -> lead (place u) = lead (place d).
Proof.
move=> ind od inu ou rd; rewrite -(lead_target ind od).
case md: (is_move d); last first.
  by move: rd; rewrite /reads md => /andP[_ /eqP tu]; rewrite lead_target // -tu lead_target.
case E: (has (fun m => is_move m && (place m == target d)) (units board)).
  case/hasP: E => m inm /andP[mm /eqP at_].
  by rewrite (onward_reads_one placed k_closed k_sane ind md inm mm at_ inu rd ou) at_.
move: rd; rewrite /reads md => /andP[_ /or3P[/andP[_ /eqP <-] | /andP[mu at_] | /hasP[m]]].
- by rewrite lead_target.
- by move/negP: E; case; apply/hasP; exists u => //; rewrite mu.
rewrite mem_filter => /andP[/and4P[dm md' _ _] inm] _; move/negP: E; case; apply/hasP; exists m => //.
by move: dm md'; rewrite !moves_toE eq_sym => /andP[_ ->] /andP[->].
Qed.

(** ** Who knows more *)

Section More.

Variable l : knowledge.
Hypothesis l_closed : closed board l.
Hypothesis l_sane : ~~ contradictory l.
Hypothesis more : {subset k <= l}.

Lemma open_less (u : unit) : is_open l u -> open u.
Proof.
case/and3P => act low high; rewrite /is_open act /=; apply/andP; split; first by apply: contra low => /more.
by apply: contra high => /more.
Qed.

Lemma l_in_box : agrees (at_least l) k.
Proof. by apply: agrees_sub more _; apply: low_in_box. Qed.

(** What is settled beside all that it reads comes to what it is settled to. *)
Lemma settled_equation (d : unit) :
  d \in units board -> is_active d -> {in units board, forall u, reads board d u -> ~~ is_open l u} ->
  decision board (at_least l) d = at_least l (place d).
Proof.
move=> ind act set; have same f : agrees f l -> decision board f d = decision board (at_least l) d.
  move=> ag; apply: decision_same => // u inu rd.
  apply: (settled_same l_sane ag (low_in_box l_sane)); [by case/andP: rd | exact: set].
have w : pessimistic board l d = decision board (at_least l) d by apply: same; apply: worst_in_box.
have b : optimistic board l d = decision board (at_least l) d by apply: same; apply: best_in_box.
case E: (decision _ _ _); apply/esym.
  by apply: (closed_sub l_closed); apply/learntP; exists d => //; split=> //; left; rewrite w E.
apply/negP => low; apply: (sane l_sane low); apply: (closed_sub l_closed).
by apply/learntP; exists d => //; split=> //; right; rewrite b E.
Qed.

(** Once its core is settled, so is whatever leads there. *)
Lemma settled_with_core (u : unit) :
  u \in units board -> lead (place u) \notin open_places board l -> ~~ is_open l u.
Proof.
move=> inu no; apply/negP => ou; have inp : place u \in open_places board l by apply/open_placesP; exists u.
have ink : place u \in open_places board k by apply/open_placesP; exists u => //; split=> //; apply: open_less.
have [i eq] := lead_reached (open_positive ink) (open_returns ink).
move/negP: no; apply; rewrite eq {eq}.
elim: i => //= i IH; exact: aim_open.
Qed.

End More.

End Knowledge.

Lemma known_not_open l p b : (p, b) \in l -> p \notin open_places board l.
Proof.
move=> inl; apply/negP => /open_placesP[d _ [/and3P[_ low high] at_]]; subst p.
by case: b inl => inl; [move/negP: low | move: high; rewrite /at_most inl].
Qed.

(** ** Completeness *)

Local Notation start := (partial_information board [::]).

Lemma start_closed : closed board start.
Proof. exact: partial_information_closed. Qed.

Lemma start_agrees a : consistent board a -> agrees a start.
Proof. by move=> cons; apply: partial_information_sound. Qed.

Lemma choices_have a k (cs : seq province) :
  {in cs, forall r, a r \in trials board k r} -> [seq (r, a r) | r <- cs] \in choices board k cs.
Proof.
elim: cs => //= r cs IH all; have ar := all r (mem_head r cs).
case E: (trials board k r) => [|v vs]; first by rewrite E in ar.
by rewrite -E; apply: allpairs_f => //; apply: IH => s ins; apply: all; rewrite inE ins orbT.
Qed.

Lemma trialsP k r v : v \in trials board k r = ~~ contradictory (partial_information board ((r, v) :: k)).
Proof. by rewrite mem_filter andbC; case: v. Qed.

(** What is settled everywhere has one assignment. *)
Lemma successes_eq a k :
  ~~ contradictory k -> agrees a k -> {in units board, forall u, ~~ is_open k u} ->
  successes board k = [seq p <- decisions board | a p].
Proof.
move=> sane ag set; apply: eq_in_filter => p /decisions_unit[d ind [act <-]].
by rewrite -(settled_value sane ag act (set d ind)).
Qed.

Theorem solve_complete a : consistent board a -> [seq p <- decisions board | a p] \in solve board.
Proof.
move=> cons; have ag := start_agrees cons; have sane := agrees_sane ag.
pose choice := [seq (r, a r) | r <- cores board start].
have agc : agrees a (choice ++ start).
  by apply: agrees_cat => // x /mapP[r _ ->].
pose l := partial_information board (choice ++ start).
have agl : agrees a l by apply: partial_information_sound.
have more : {subset start <= l}.
  by move=> x inx; apply: partial_information_extends => //; rewrite mem_cat inx orbT.
apply/mapP; exists choice.
  apply: choices_have => r _; rewrite trialsP; apply: (agrees_sane (a := a)).
  by apply: partial_information_sound => // x; rewrite inE => /predU1P[-> | /ag].
apply/esym; apply: (successes_eq (agrees_sane agl) agl).
move=> u inu; apply/negP => ou.
have lu : is_open start u by apply: (open_less more).
have core : lead (place u) \in cores board start.
  by apply: lead_core => //; [apply: start_closed | apply/open_placesP; exists u].
suff: ~~ is_open l u by rewrite ou.
have lc : closed board l by apply: partial_information_closed.
have settle := settled_with_core start_closed sane lc (agrees_sane agl) more inu.
apply: settle.
apply: (@known_not_open _ _ (a (lead (place u)))); apply: partial_information_extends.
by rewrite mem_cat (map_f (fun r => (r, a r))).
Qed.

End Board.
