(** * Theorem 2 of docs/papers/cores.md: what a station passes on, and with which sign *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition is_convoy (u : unit) : bool := if ordered u is Convoy _ _ then true else false.

(** All that the theorems take for granted of a board: units stand in provinces of their own, and armies do not go where
    fleets convoy (these are at sea). *)
Definition convoys_end_on_land (board : situation) : bool :=
  all (fun c => is_convoy c ==> all (fun f => is_convoy f ==> (target c != place f)) (units board)) (units board).

Definition well_formed (board : situation) : bool := well_placed board && convoys_end_on_land board.

Lemma moves_into_stay (board : situation) (q m : unit) :
  well_placed board -> q \in units board -> ~~ is_move q -> moves_to (place q) m -> opposing board m = [::].
Proof.
move=> placed inq stays; rewrite moves_toE => /andP[_ /eqP tgt].
case E: (opposing board m) => [|n ns] //; have: n \in opposing board m by rewrite E inE eqxx.
rewrite mem_filter => /andP[/and4P[mn nm _ _] inn]; move: mn nm; rewrite !moves_toE => /andP[_ /eqP at_] /andP[isn _].
by move: stays; rewrite -(same_place placed inn inq) ?isn // -at_.
Qed.

Section OnePlace.

Variable board : situation.
Hypothesis placed : well_placed board.
Variable q : unit.
Hypothesis inq : q \in units board.
Hypothesis stays : ~~ is_move q.

(** Strengths of moves to where a unit stays. *)
Lemma attacked_there a m : moves_to (place q) m -> attacked board a m = Some q.
Proof.
rewrite moves_toE => /andP[mm /eqP tgt].
by rewrite /attacked goes_to_target // tgt (unit_in_place placed inq) stays orbT.
Qed.

Lemma prevent_there a m :
  moves_to (place q) m ->
  prevent_strength board a m = if path board a m then 1 + successful_supports board a (supports_move m) else 0.
Proof.
by move=> into; rewrite /prevent_strength (moves_into_stay placed inq stays into) /=; case: (path board a m).
Qed.

Lemma attack_own a m : moves_to (place q) m -> owner m = owner q -> attack_strength board a m = 0.
Proof.
by move=> into own; rewrite /attack_strength (attacked_there a into) own eqxx; case: (path board a m).
Qed.

Lemma attack_prevent a m : moves_to (place q) m -> attack_strength board a m <= prevent_strength board a m.
Proof.
move=> into; rewrite prevent_there // /attack_strength (attacked_there a into).
case: (path board a m) => //=; case: ifP => // _; rewrite leq_add2l.
by apply: count_le => s _ /andP[/andP[-> _] ->].
Qed.

Lemma win_has_path a m : decision board a m -> is_move m -> path board a m.
Proof.
rewrite /decision /is_move; case: (ordered m) => // ? ? /and3P[] //.
Qed.

Lemma own_never_wins a m : moves_to (place q) m -> owner m = owner q -> decision board a m = false.
Proof.
move=> into own; apply/negP; rewrite /decision; move: (into); rewrite /moves_to; case: (ordered m) => // ? ? _.
case/and3P=> _; rewrite /beats_defence (moves_into_stay placed inq stays into) attack_own //.
Qed.

Lemma wins_over_rival a m n :
  n \in units board -> moves_to (place q) m -> moves_to (place q) n -> place n <> place m ->
  decision board a m -> prevent_strength board a n < attack_strength board a m.
Proof.
move=> inn intom inton other; rewrite /decision; move: (intom); rewrite moves_toE /is_move => /andP[].
have mm : is_move m by move: intom; rewrite moves_toE => /andP[].
case E: (ordered m) => // _ /eqP tgt /and3P[_ _ /allP wins]; apply: wins.
rewrite mem_filter goes_to_target // tgt inton inn /same_unit /= andbT.
by apply/eqP.
Qed.

End OnePlace.

Section Sign.

Variable board : situation.
Hypothesis formed : well_formed board.
Variable k : knowledge.
Hypothesis k_closed : closed board k.
Hypothesis k_sane : ~~ contradictory k.

Let placed : well_placed board.
Proof. by case/andP: formed. Qed.

Local Notation open := (is_open k).

(** The sign of the link from the order [e] to the order [d] at its target: [true] where [d] is given just where [e] is not. *)
Definition sign_to (e d : unit) : bool :=
  ~~ is_convoy d || has (fun m => [&& open m, moves_to (place d) m & helps m e]) (units board).

Section Link.

Variables d e : unit.
Hypothesis ind : d \in units board.
Hypothesis od : open d.
Hypothesis stays : ~~ is_move d.
Hypothesis ine : e \in open_stations board k.
Hypothesis aimed : target e = place d.

Let ins : d \in open_stations board k.
Proof. by rewrite open_stationP od stays. Qed.

Lemma reader_is_e (m u : unit) :
  u \in units board -> moves_to (place d) m -> reads board m u -> open u -> u = e.
Proof.
move=> inu into rd ou; have /andP[su /eqP tu] := move_into_reads placed ind inu stays into rd.
by apply: (one_open_order_for_each placed k_closed k_sane) => //; rewrite ?tu // open_stationP ou su.
Qed.

Lemma into_same a b (m : unit) :
  agrees a k -> agrees b k -> success a e = success b e -> m \in units board -> moves_to (place d) m ->
  decision board a m = decision board b m.
Proof.
move=> aa ab eq inm into; apply: (decision_same placed) => // u inu rd; case ou: (open u).
  by rewrite (reader_is_e inu into rd ou).
by apply: (settled_same k_sane) => //; [case/andP: rd | rewrite ou].
Qed.

Let ine_units : e \in units board.
Proof. by move: ine; rewrite open_stationP => /and3P[]. Qed.

Let open_e : open e.
Proof. by move: ine; rewrite open_stationP => /and3P[]. Qed.

(** An open move to the station goes with [e] or against it. *)
Lemma open_into a (m : unit) :
  agrees a k -> m \in units board -> open m -> moves_to (place d) m -> decision board a m = ~~ (success a e (+) helps m e).
Proof.
move=> ag inm om into; case hp: (helps m e); case ea: (success a e) => /=.
- rewrite -(open_best k_closed inm om); apply: into_same => //; first exact: best_in_box.
  by rewrite view_helped // hp open_high.
- rewrite -(open_worst k_closed inm om); apply: into_same => //; first exact: worst_in_box.
  by rewrite view_helped // hp open_low.
- rewrite -(open_worst k_closed inm om); apply: into_same => //; first exact: worst_in_box.
  by rewrite view_helped // hp open_high.
- rewrite -(open_best k_closed inm om); apply: into_same => //; first exact: best_in_box.
  by rewrite view_helped // hp open_low.
Qed.

(** What the pessimist and the optimist see of [d] itself: a station is helped by nothing. *)
Lemma station_view f g p : view board d f g p = g p.
Proof. by rewrite /view /helps (negbTE stays); case: (unit_in _ _). Qed.

Lemma station_decision f g : decision board (view board d f g) d = decision board g d.
Proof. by apply: decision_same => // u _ _; rewrite /success station_view. Qed.

Lemma best_low : decision board (at_least k) d.
Proof. by rewrite -(station_decision (at_most k)); apply: (open_best k_closed). Qed.

Lemma worst_high : decision board (at_most k) d = false.
Proof. by rewrite -(station_decision (at_least k)); apply: (open_worst k_closed). Qed.

(** ** A support is cut just if the army has a path *)

Section Support.

Hypothesis no_convoy : ~~ is_convoy d.

Lemma support_decisionE a : decision board a d = support_decision board a d.
Proof.
move: no_convoy stays (open_active od); rewrite /is_convoy /is_move /is_active /decision.
by case: (ordered d).
Qed.

Lemma directed_target : directed_at d = target d.
Proof.
move: no_convoy stays; rewrite /directed_at /target /is_convoy /is_move.
by case: (ordered d).
Qed.

Lemma not_from_there (m : unit) : m \in units board -> is_move m -> place m != directed_at d.
Proof.
move=> inm mm; apply/eqP => at_; case: (no_open_order_for_a_mover placed k_closed k_sane ins inm mm).
by rewrite -directed_target.
Qed.

Lemma path_of_helpers a b (m : unit) :
  (forall c, c \in units board -> convoys_move m c -> success a c -> success b c) ->
  path board a m -> path board b m.
Proof. by move=> sub; apply: path_le => c inc cm; apply: sub. Qed.

Lemma convoy_read (m c : unit) : convoys_move m c -> reads board m c.
Proof.
by case/convoys_move_facts => act sc mm tgt; rewrite /reads act mm sc tgt eqxx.
Qed.

Lemma path_falls a (m : unit) :
  agrees a k -> success a e = false -> moves_to (place d) m -> path board a m -> path board (at_least k) m.
Proof.
move=> ag ea into; apply: path_of_helpers => c inc cm; have rd := convoy_read cm.
case oc: (open c); first by rewrite (reader_is_e inc into rd oc) ea.
by rewrite (settled_value k_sane ag) ?oc //; case/andP: rd.
Qed.

Lemma path_rises a (m : unit) :
  agrees a k -> success a e -> moves_to (place d) m -> path board (at_most k) m -> path board a m.
Proof.
move=> ag ea into; apply: path_of_helpers => c inc cm hi; have rd := convoy_read cm.
case oc: (open c); first by rewrite (reader_is_e inc into rd oc).
move: hi; have act : is_active c by case/andP: rd.
by rewrite (settled_same k_sane (high_in_box k_sane) ag) ?oc.
Qed.

(** Whoever cuts the support in the end comes from another power, and has a path. *)
Lemma cutter_path a (m : unit) :
  m \in units board -> moves_to (place d) m -> (success a m -> decision board a m) -> cuts board a d m ->
  (owner m != owner d) && path board a m.
Proof.
move=> inm into fine /andP[_ /orP[win | /and3P[-> -> _] //]].
move: (fine win) => dec; rewrite win_has_path // ?andbT; last by move: into; rewrite moves_toE => /andP[].
apply/eqP => own; by rewrite (own_never_wins placed ind stays a into own) in dec.
Qed.

Lemma no_path_yet (m : unit) :
  m \in units board -> moves_to (place d) m -> owner m != owner d -> path board (at_least k) m = false.
Proof.
move=> inm into foreign; apply/negP => pm; move: best_low; rewrite support_decisionE => /andP[_ /negP]; case.
apply/hasP; exists m => //; rewrite /cuts into foreign pm not_from_there ?orbT //.
by move: into; rewrite moves_toE => /andP[].
Qed.

Lemma support_link a :
  agrees a k -> {in units board, forall m, moves_to (place d) m -> decision board a m = success a m} ->
  decision board a d = ~~ success a e.
Proof.
move=> ag fine.
have matched_d : matched board d by move: best_low; rewrite support_decisionE => /andP[].
have [m inm [into foreign high]] :
  exists2 m, m \in units board & [/\ moves_to (place d) m, owner m != owner d & path board (at_most k) m].
  move/negbT: worst_high; rewrite support_decisionE /support_decision matched_d negbK => /hasP[m inm cut].
  exists m => //; have into : moves_to (place d) m by case/andP: cut.
  have mm : is_move m by move: into; rewrite moves_toE => /andP[].
  case/andP: cut => _ /orP[win | /and3P[foreign pm _]]; last by split.
  have om : open m.
    rewrite /is_open (move_active mm) -[at_most k _]/(success (at_most k) m) win andbT /=; apply/negP => low.
    move: best_low; rewrite support_decisionE => /andP[_ /negP]; case.
    by apply/hasP; exists m => //; rewrite /cuts into /success low.
  have best := open_best k_closed inm om; have foreign : owner m != owner d.
    by apply/eqP => own; move: best; rewrite /optimistic (own_never_wins placed ind stays _ into own).
  split=> //; move: (win_has_path best mm); apply: path_of_helpers => c inc cm.
  by rewrite view_helped // /helps mm cm orbT.
case ea: (success a e) => /=; rewrite support_decisionE /support_decision matched_d /=.
  apply/negbTE; rewrite negbK; apply/hasP; exists m => //.
  have mm : is_move m by move: into; rewrite moves_toE => /andP[].
  by rewrite /cuts into foreign (path_rises ag ea into high) not_from_there // orbT.
apply/negP => /hasP[n inn cut]; have inton : moves_to (place d) n by case/andP: cut.
have /andP[fn pn] := cutter_path inn inton (fun win => etrans (fine n inn inton) win) cut.
by move: (no_path_yet inn inton fn); rewrite (path_falls ag ea inton pn).
Qed.

End Support.

(** ** A convoy goes with the supports for its attackers' rivals, and against those for its attackers *)

Section Convoy.

Hypothesis convoy : is_convoy d.

Lemma convoy_decisionE a : decision board a d = convoy_decision board a d.
Proof. by move: convoy; rewrite /is_convoy /decision; case: (ordered d). Qed.

Lemma e_is_no_convoy : ~~ is_convoy e.
Proof.
apply/negP => ce; case/andP: formed => _ /allP /(_ e ine_units); rewrite ce /= => /allP /(_ d ind).
by rewrite convoy aimed eqxx.
Qed.

Lemma no_convoys_here (m c : unit) :
  c \in units board -> moves_to (place d) m -> convoys_move m c = false.
Proof.
move=> inc into; apply/negP => cm; have [_ _ _ tgt] := convoys_move_facts cm.
have cc : is_convoy c by move: cm; rewrite /convoys_move /is_convoy; case: (ordered c).
case/andP: formed => _ /allP /(_ c inc); rewrite cc /= => /allP /(_ d ind).
by rewrite convoy tgt; move: into; rewrite moves_toE => /andP[_ /eqP ->]; rewrite eqxx.
Qed.

Lemma path_here a b m : moves_to (place d) m -> path board a m = path board b m.
Proof.
by move=> into; apply/idP/idP; apply: path_of_helpers => c inc; rewrite (no_convoys_here inc into).
Qed.

Lemma open_attacks_agree (m n : unit) :
  m \in units board -> n \in units board -> open m -> open n -> moves_to (place d) m -> moves_to (place d) n ->
  helps m e -> helps n e.
Proof.
move=> inm inn om on intom inton hm; apply/negPn/negP => hn.
have other : n <> m by move=> eq; rewrite eq hm in hn.
pose a v p := if p == place e then v else at_least k p.
have box v : agrees (a v) k.
  move=> x inx; rewrite /a; case: eqP => [eq | _]; last exact: low_in_box.
  case: x inx eq => p [] /= inx eq; subst p; first by move: (open_low open_e); rewrite /at_least inx.
  by move: (open_high open_e); rewrite /at_most inx.
have av v : success (a v) e = v by rewrite /success /a eqxx.
have winm : decision board (a true) m by rewrite (open_into (box _)) // av hm.
have winn : decision board (a false) n by rewrite (open_into (box _)) // av (negbTE hn).
have apart : place n <> place m by move=> eq; apply: other; exact: (same_place placed inn inm eq).
have less u : success (a false) u -> success (a true) u by rewrite /success /a; case: eqP.
have falls : prevent_strength board (a false) n <= prevent_strength board (a true) n.
  rewrite !(prevent_there placed ind stays) // (path_here (a false) (a true) inton).
  by case: (path _ _ _) => //; rewrite leq_add2l; apply: supports_le => u _ _; apply: less.
have one : attack_strength board (a true) m <= (attack_strength board (a false) m).+1.
  rewrite /attack_strength (path_here (a true) (a false) intom) !(attacked_there placed ind stays) //.
  case: (path _ _ _) => //=; case: ifP => // _; rewrite -addnS leq_add2l.
  set P := fun s => _; have: count (pred1 e) (units board) <= 1.
    by rewrite count_uniq_mem ?leq_b1 //; apply: map_uniq placed.
  rewrite /successful_supports -(leq_add2l (count (fun s => P s && success (a false) s) (units board))) addn1.
  apply: leq_trans; rewrite -count_predUI; apply: leq_trans (leq_addr _ _); apply: count_le => s ins' /= /andP[-> /=].
  rewrite /success /a; case: eqP => [eq _ | _ ->] //; apply/orP; right; apply/eqP.
  exact: (same_place placed ins' ine_units eq).
have w1 := wins_over_rival inn intom inton apart winm.
have w2 := wins_over_rival inm inton intom (nesym apart) winn.
have p1 := attack_prevent placed ind stays (a false) intom.
have p2 := attack_prevent placed ind stays (a false) inton.
have: attack_strength board (a false) m < attack_strength board (a false) m; last by rewrite ltnn.
apply: leq_trans (leq_ltn_trans p1 w2) _; apply: leq_trans p2 _; apply: leq_trans falls _.
by rewrite -ltnS; apply: leq_trans w1 one.
Qed.

Lemma convoy_link a :
  agrees a k -> {in units board, forall m, moves_to (place d) m -> decision board a m = success a m} ->
  decision board a d = success a e (+) has (fun m => [&& open m, moves_to (place d) m & helps m e]) (units board).
Proof.
move=> ag fine; have [m0 inm0 [om0 into0]] : exists2 m, m \in units board & open m /\ moves_to (place d) m.
  move/negbT: worst_high; rewrite convoy_decisionE negbK => /hasP[m inm /andP[into high]]; exists m => //; split=> //.
  rewrite /is_open (move_active (_ : is_move m)) /=; last by move: into; rewrite moves_toE => /andP[].
  rewrite -[at_most k _]/(success (at_most k) m) high andbT; apply/negP => low.
  move: best_low; rewrite convoy_decisionE => /negP; case.
  by apply/hasP; exists m => //; rewrite into.
have settled m : m \in units board -> moves_to (place d) m -> ~~ open m -> success a m = false.
  move=> inm into no; have mm : is_move m by move: into; rewrite moves_toE => /andP[].
  rewrite (settled_value k_sane ag (move_active mm) no); apply/negP => low.
  move: best_low; rewrite convoy_decisionE => /negP; case.
  by apply/hasP; exists m => //; rewrite into.
rewrite convoy_decisionE /convoy_decision; case hm: (helps m0 e).
  have -> : has (fun m => [&& open m, moves_to (place d) m & helps m e]) (units board).
    by apply/hasP; exists m0 => //; rewrite om0 into0.
  case ea: (success a e) => /=.
    apply/negbTE; rewrite negbK; apply/hasP; exists m0 => //.
    by rewrite into0 /= -fine // open_into // ea hm.
  apply/negP => /hasP[m inm /andP[into win]]; case om: (open m); last by rewrite settled ?om in win.
  move: win; rewrite -fine // open_into // ea /=.
  by rewrite (open_attacks_agree inm0 inm om0 om into0 into hm).
have -> : has (fun m => [&& open m, moves_to (place d) m & helps m e]) (units board) = false.
  apply/negP => /hasP[m inm /and3P[om into hp]].
  by rewrite (open_attacks_agree inm inm0 om om0 into into0 hp) in hm.
rewrite addbF; case ea: (success a e).
  apply/negP => /hasP[m inm /andP[into win]]; case om: (open m); last by rewrite settled ?om in win.
  move: win; rewrite -fine // open_into // ea /= negbK => hp.
  by rewrite (open_attacks_agree inm inm0 om om0 into into0 hp) in hm.
apply/negbTE; rewrite negbK; apply/hasP; exists m0 => //.
by rewrite into0 /= -fine // open_into // ea hm.
Qed.

End Convoy.

(** ** Theorem 2: the order of an open station is given just where the one before it is, or just where it is not. *)
Theorem station_link a :
  agrees a k -> {in units board, forall m, moves_to (place d) m -> decision board a m = success a m} ->
  decision board a d = success a e (+) sign_to e d.
Proof.
move=> ag fine; rewrite /sign_to; case cd: (is_convoy d) => /=; first exact: convoy_link.
by rewrite addbT; apply: support_link; rewrite ?cd.
Qed.

End Link.

End Sign.
