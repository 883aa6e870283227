(** * The number of resolutions is the product over the cores, and the procedure gives exactly the resolutions *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Rings Cores.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Board.

Variable board : situation.
Hypothesis placed : well_placed board.

Local Notation n := (size (units board)).
Local Notation go := (aim board).
Local Notation lead := (lead go n).
Local Notation start := (partial_information board [::]).

Let start_closed : closed board start.
Proof. exact: partial_information_closed. Qed.

(** What partial information knows from the beginning it can learn again. *)
Lemma learn_justified m k : {subset k <= learnt board k} -> {subset learn board m k <= learnt board (learn board m k)}.
Proof.
elim: m k => [|m IH] k just //=; case E: (news board k) => [|x xs] //; rewrite -E; apply: IH.
have sub : {subset k <= k ++ news board k} by move=> y iny; rewrite mem_cat iny.
move=> y; rewrite mem_cat => /orP[/just | /news_sub]; exact: learnt_monotone sub _.
Qed.

Lemma start_justified : {subset start <= learnt board start}.
Proof. exact: learn_justified. Qed.

(** From nothing, the optimist and the pessimist never contradict each other. *)
Lemma worst_best k (d : unit) : ~~ contradictory k -> d \in units board -> pessimistic board k d -> optimistic board k d.
Proof.
move=> sane ind; apply: decision_better => // u inu _; rewrite !view_helped //.
by case: (helps d u) => //; apply: low_high.
Qed.

Lemma learn_sane m k :
  ~~ contradictory k -> {subset k <= learnt board k} -> ~~ contradictory (learn board m k).
Proof.
elim: m k => [|m IH] k sane just //=; case E: (news board k) => [|x xs] //; rewrite -E.
have sub : {subset k <= k ++ news board k} by move=> y iny; rewrite mem_cat iny.
have all : {subset k ++ news board k <= learnt board k} by move=> y; rewrite mem_cat => /orP[/just | /news_sub].
apply: IH; last by move=> y /all; apply: learnt_monotone.
apply/hasP => [[[p b] /all /learntP[d ind [_ x1]] /= /all /learntP[e ine [_ x2]]]].
have same : place d = place e -> d = e := fun eq => same_place placed ind ine eq.
case: b x1 x2 => /= x1 x2.
  case: x1 => [[[eq] w] | [] //]; case: x2 => [[] // | [[eq2] b]]; subst p.
  by move: b; rewrite -(same eq2) (worst_best sane).
case: x1 => [[] // | [[eq] b]]; case: x2 => [[[eq2] w] | [] //]; subst p.
by move: b; rewrite (same eq2) (worst_best sane).
Qed.

Theorem start_sane : ~~ contradictory start.
Proof. exact: learn_sane. Qed.

(** ** Any choice of one trial for each core is a resolution *)

Section Combined.

Variable v : province -> bool.
Hypothesis tried : {in cores board start, forall r, v r \in trials board start r}.

Definition after (r : province) : knowledge := partial_information board ((r, v r) :: start).

Definition combined (p : province) : bool :=
  if p \in open_places board start then at_least (after (lead p)) p else at_least start p.

Lemma after_more r : {subset start <= after r}.
Proof. by move=> x inx; apply: partial_information_extends; rewrite inE inx orbT. Qed.

Lemma combined_in_box : agrees combined start.
Proof.
move=> [p b] inp /=; rewrite /combined (negbTE (known_not_open board inp)).
exact: (low_in_box start_sane inp).
Qed.

Lemma core_settled r p : p \in open_places board start -> lead p = r -> r \notin open_places board (after r).
Proof.
by move=> inp eq; apply: (@known_not_open _ _ _ (v r)); apply: partial_information_extends; rewrite inE eqxx.
Qed.

Theorem combined_consistent : consistent board combined.
Proof.
apply/consistentP => // d ind act; case od: (is_open start d); last first.
  have box := combined_in_box; have eq := settled_value start_sane box act (negbT od).
  rewrite eq; case E: (at_least start (place d)).
    move/start_justified/learntP: (E) => [e ine [_ [[[same] w] | [] //]]].
    by rewrite (same_place placed ind ine same); exact: (worst_bound placed box ine w).
  have: (place d, false) \in start.
    by move/negbT: od; rewrite /is_open act E /= /at_most negbK.
  move/start_justified/learntP => [e ine [_ [[] // | [[same] w]]]].
  rewrite (same_place placed ind ine same); apply/negP => dec; move/negP: w; apply.
  exact: (best_bound placed box ine dec).
have inp : place d \in open_places board start by apply/open_placesP; exists d.
pose r := lead (place d).
have core : r \in cores board start := lead_core placed start_closed start_sane inp.
have sane : ~~ contradictory (after r) by rewrite -trialsP; apply: tried.
have clos : closed board (after r) by apply: partial_information_closed.
have more := @after_more r.
have set u : u \in units board -> is_open start u -> lead (place u) = r -> ~~ is_open (after r) u.
  move=> inu ou eq; apply: (settled_with_core placed start_closed start_sane clos sane more inu).
  by rewrite eq; apply: (core_settled inp).
have all u : u \in units board -> reads board d u ->
    ~~ is_open (after r) u /\ success combined u = success (at_least (after r)) u.
  move=> inu rd; case ou: (is_open start u).
    have same := same_core placed start_closed start_sane ind od inu ou rd; split; first exact: set.
    have inq : place u \in open_places board start by apply/open_placesP; exists u.
    by rewrite /success /combined inq same.
  have actu : is_active u by case/andP: rd.
  split; first by apply: contraFN ou; apply: open_less.
  apply: (settled_same start_sane combined_in_box _ actu); last by rewrite ou.
  exact: l_in_box.
have -> : decision board combined d = decision board (at_least (after r)) d.
  by apply: decision_same => // u inu /(all u inu) [].
rewrite (settled_equation placed clos sane ind act) => [|u inu /(all u inu) []//].
by rewrite /success /combined inp.
Qed.

Lemma combined_core r : r \in cores board start -> combined r = v r.
Proof.
move=> core; have := core; rewrite coresP // => /and3P[inr _ /eqP lr]; rewrite /combined inr lr.
have sane : ~~ contradictory (after r) by rewrite -trialsP; apply: tried.
have: (r, v r) \in after r by apply: partial_information_extends; rewrite inE eqxx.
by move/(low_in_box sane).
Qed.

End Combined.

(** ** Choices *)

Lemma choices_places k cs choice : choice \in choices board k cs -> [seq x.1 | x <- choice] = cs.
Proof.
elim: cs choice => [|r cs IH] choice /=; first by rewrite inE => /eqP ->.
case E: (trials board k r) => [|t ts] //; rewrite -E => /allpairsP[[x ch] [_ inch ->]] /=.
by rewrite (IH ch inch).
Qed.

Lemma choices_tried k cs choice r b : choice \in choices board k cs -> (r, b) \in choice -> b \in trials board k r.
Proof.
elim: cs choice => [|s cs IH] choice /=; first by rewrite inE => /eqP ->.
case E: (trials board k s) => [|t ts] //; rewrite -E => /allpairsP[[x ch] [inx inch ->]] /=.
by rewrite inE => /predU1P[[-> ->] // | ]; apply: IH.
Qed.

Lemma cores_uniq k : uniq (cores board k).
Proof. by apply: filter_uniq; apply: placed_sub. Qed.

Lemma function_of_choice (choice : knowledge) (cs : seq province) :
  uniq cs -> [seq x.1 | x <- choice] = cs -> {in choice, forall x, x.2 = ((x.1, true) \in choice)}.
Proof.
move=> u eq; rewrite -{}eq in u; elim: choice u => //= [[r b] ch] IH /andP[no u] x.
rewrite inE => /predU1P[-> | inx] /=.
  rewrite inE xpair_eqE eqxx /=; case: b no => //= no; apply/esym/negP => inr.
  by move/negP: no; case; apply/mapP; exists (r, true).
rewrite inE (IH u x inx) xpair_eqE; case: eqP => //= eq.
by move: no; rewrite -eq (map_f (fun y : province * bool => y.1) inx).
Qed.

Section Choice.

Variable choice : knowledge.
Hypothesis chosen : choice \in choices board start (cores board start).

Let v r := (r, true) \in choice.

Lemma chosen_values : {in choice, forall x, x.2 = v x.1}.
Proof. exact: function_of_choice (cores_uniq _) (choices_places chosen). Qed.

Lemma chosen_tried : {in cores board start, forall r, v r \in trials board start r}.
Proof.
move=> r; rewrite -(choices_places chosen) => /mapP[[s b] inx ->] /=.
by have /= <- := chosen_values inx; apply: (choices_tried chosen inx).
Qed.

Lemma chosen_result :
  successes board (partial_information board (choice ++ start)) = [seq p <- decisions board | combined v p].
Proof.
set l := partial_information _ _; have tried := chosen_tried; have cons := combined_consistent tried.
have agl : agrees (combined v) l.
  apply: partial_information_sound => //; apply: agrees_cat; last exact: combined_in_box.
  move=> [r b] inx /=; have core : r \in cores board start.
    by rewrite -(choices_places chosen); apply/mapP; exists (r, b).
  by have /= -> := chosen_values inx; apply: combined_core.
have sane : ~~ contradictory l := agrees_sane agl.
have res := successes_eq sane agl; apply: res => u inu; apply/negP => ou.
have clos : closed board l by apply: partial_information_closed.
have more : {subset start <= l}.
  by move=> x inx; apply: partial_information_extends => //; rewrite mem_cat inx orbT.
have lu : place u \in open_places board start by apply/open_placesP; exists u => //; split=> //; apply: open_less more _ ou.
have core : lead (place u) \in cores board start := lead_core placed start_closed start_sane lu.
have settle := settled_with_core placed start_closed start_sane clos sane more inu.
move: ou; apply/negP; apply: settle.
move: core; rewrite -{1}(choices_places chosen) => /mapP[[r b] inx eq].
apply: (@known_not_open _ _ _ b); apply: partial_information_extends.
by rewrite mem_cat eq /= inx.
Qed.

Lemma chosen_consistent : consistent board (combined v).
Proof. exact: combined_consistent chosen_tried. Qed.

End Choice.

(** ** Theorem: what the procedure gives are exactly the resolutions, each once *)

Lemma consistent_same a b :
  {in decisions board, forall p, a p = b p} -> consistent board a = consistent board b.
Proof.
move=> same; have dec d : d \in units board -> decision board a d = decision board b d.
  by move=> ind; apply: decision_same => // u inu /andP[act _]; apply: same; apply: decisions_place.
apply/consistentP/consistentP => // fine d ind act; move: (fine d ind act);
  by rewrite /success dec // same // decisions_place.
Qed.

Lemma sublists_filter (a : pred province) ps : [seq p <- ps | a p] \in sublists ps.
Proof.
elim: ps => //= p ps IH; rewrite mem_cat; case: (a p); last by rewrite IH orbT.
by rewrite map_f.
Qed.

Lemma sublists_sub s ps : s \in sublists ps -> {subset s <= ps}.
Proof.
elim: ps s => [|p ps IH] s /=; first by rewrite inE => /eqP ->.
rewrite mem_cat => /orP[/mapP[t int ->] | /IH sub] q; last by move=> /sub; rewrite inE orbC => ->.
by rewrite !inE => /predU1P[-> | /(IH t int) ->]; rewrite ?eqxx ?orbT.
Qed.

Lemma sublists_of s ps : uniq ps -> s \in sublists ps -> s = [seq p <- ps | p \in s].
Proof.
elim: ps s => [|p ps IH] s /=; first by rewrite inE => _ /eqP.
case/andP=> no u; rewrite mem_cat => /orP[/mapP[t int ->] | ins].
  rewrite inE eqxx /=; congr cons; rewrite {1}(IH t u int); apply: eq_in_filter => q inq.
  by rewrite inE; case: eqP => // eq; move/negP: no; case; rewrite -eq.
case: ifP => [/(sublists_sub ins) inp | _]; first by rewrite inp in no.
exact: IH.
Qed.

Lemma sublists_uniq ps : uniq ps -> uniq (sublists ps).
Proof.
elim: ps => //= p ps IH /andP[no u]; rewrite cat_uniq IH // map_inj_uniq ?IH //; last by move=> s t [].
rewrite andbT /=; apply/hasP => [[s ins /mapP[t _ eq]]].
by move/negP: no; case; apply: (sublists_sub ins); rewrite eq inE eqxx.
Qed.

Lemma decisions_uniq : uniq (decisions board).
Proof. exact: placed_sub. Qed.

Lemma resolutionsP s :
  reflect (exists2 a, consistent board a & s = [seq p <- decisions board | a p]) (s \in resolutions board).
Proof.
rewrite mem_filter; apply: (iffP andP) => [[cons ins] | [a cons ->]].
  by exists (assignment s) => //; apply: sublists_of decisions_uniq ins.
split; last exact: sublists_filter.
rewrite -(@consistent_same a) // => p inp; by rewrite /assignment mem_filter inp andbT.
Qed.

Theorem solve_exact : solve board =i resolutions board.
Proof.
move=> s; apply/idP/resolutionsP => [/mapP[choice chosen ->] | [a cons ->]]; last exact: solve_complete.
by rewrite chosen_result //; exists (combined (fun r => (r, true) \in choice)) => //; apply: chosen_consistent.
Qed.

Lemma choices_uniq k cs : uniq (choices board k cs).
Proof.
elim: cs => //= r cs IH; case E: (trials board k r) => [|t ts] //; rewrite -E.
by apply: allpairs_uniq => //; [apply: filter_uniq | move=> [x c] [y d] _ _ [-> ->]].
Qed.

Theorem solve_uniq : uniq (solve board).
Proof.
rewrite map_inj_in_uniq ?choices_uniq // => c d inc ind.
rewrite !chosen_result // => eq.
have same r : r \in cores board start -> ((r, true) \in c) = ((r, true) \in d).
  move=> core; rewrite -(combined_core (chosen_tried inc) core) -(combined_core (chosen_tried ind) core).
  have inr : r \in decisions board.
    move: core; rewrite coresP //.
    case/and3P => /open_placesP[u inu [ou <-]] _ _; apply: decisions_place => //; exact: open_active ou.
  have: (r \in [seq p <- decisions board | combined (fun r => (r, true) \in c) p]) =
        (r \in [seq p <- decisions board | combined (fun r => (r, true) \in d) p]) by rewrite eq.
  by rewrite !mem_filter inr !andbT.
have all (e : knowledge) : e \in choices board start (cores board start) ->
    e = [seq (r, (r, true) \in e) | r <- cores board start].
  move=> ine; rewrite -(choices_places ine) -map_comp -{1}[e]map_id; apply/eq_in_map => x inx /=.
  by rewrite -(chosen_values ine inx) -surjective_pairing.
rewrite (all c inc) (all d ind); apply/eq_in_map => r inr; by rewrite same.
Qed.

(** ** Theorem (product): the number of resolutions is the product of the numbers of trials that stand *)
Lemma size_choices k cs : size (choices board k cs) = foldr muln 1 [seq size (trials board k r) | r <- cs].
Proof.
by elim: cs => //= r cs IH; case E: (trials board k r) => [|t ts] //; rewrite -E size_allpairs IH.
Qed.

Theorem number_of_resolutions :
  size (resolutions board) = foldr muln 1 [seq size (trials board start r) | r <- cores board start].
Proof.
rewrite -size_choices -(size_map (fun c => successes board (partial_information board (c ++ start)))).
apply/esym/eqP; rewrite -uniq_size_uniq ?solve_uniq //; last by move=> s; rewrite solve_exact.
by rewrite filter_uniq // sublists_uniq // decisions_uniq.
Qed.

End Board.
