(** * Theorem 3 of docs/papers/cores.md: a core has two resolutions or none, by the sign of its ring *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Stations Rings Cores Product.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** The sum, modulo two, of signs. *)
Definition total (signs : seq bool) : bool := foldr addb false signs.

Lemma total_rcons signs b : total (rcons signs b) = total signs (+) b.
Proof. by elim: signs => [|s signs IH] /=; rewrite ?addbF // IH addbA. Qed.

Section Cycle.

Variable f : nat -> nat.
Variable n : nat.

Lemma cycle_uniq r : returns f n r -> uniq (traject f r (period f n r)).
Proof.
move=> back; have [eq le] := periodP back; rewrite /period looping_uniq; apply/negP => /trajectP[j lt same].
have: iter j.+1 f r = r by rewrite iterS -same -iterS.
rewrite iterSr => eqj; move: (before_find (f r) lt) => /= /negP; case.
by rewrite nth_traject ?eqj //; apply: leq_trans lt _; apply: leq_trans le; rewrite /period ltnW.
Qed.

Lemma cycle_index r i : returns f n r -> i < period f n r -> index (iter i f r) (traject f r (period f n r)) = i.
Proof.
move=> back lt; rewrite -(nth_traject f lt) index_uniq ?size_traject //; exact: cycle_uniq.
Qed.

(** What is passed on round the ring. *)
Variable sign : nat -> bool.

Definition ring_total r := total [seq sign q | q <- traject f r (period f n r)].

Lemma passed_on (a : nat -> bool) r :
  (forall i, a (f (iter i f r)) = a (iter i f r) (+) sign (iter i f r)) ->
  forall i, a (iter i f r) = a r (+) total [seq sign q | q <- traject f r i].
Proof.
move=> link; elim=> [|i IH]; first by rewrite /= addbF.
by rewrite trajectSr map_rcons total_rcons /= link IH addbA.
Qed.

(** A ring whose signs come up to an odd number passes nothing round. *)
Lemma even_ring a r :
  returns f n r -> (forall i, a (f (iter i f r)) = a (iter i f r) (+) sign (iter i f r)) -> ring_total r = false.
Proof.
move=> back link; have [eq _] := periodP back; have := passed_on link (period f n r).
by rewrite eq -/(ring_total r); case: (ring_total r); case: (a r).
Qed.

(** Values round an even ring, from the one at [r]. *)
Definition passed (r : nat) (v : bool) (p : nat) : bool :=
  v (+) total [seq sign q | q <- traject f r (index p (traject f r (period f n r)))].

Lemma passed_start r v : passed r v r = v.
Proof. by rewrite /passed /period /= eqxx addbF. Qed.

Lemma passed_link r v p :
  returns f n r -> ring_total r = false -> p \in traject f r n ->
  passed r v (f p) = passed r v p (+) sign p.
Proof.
move=> back even inp; have [eq le] := periodP back.
have [i lt ->] : exists2 i, i < period f n r & p = iter i f r.
  have loop : looping f r (period f n r) by rewrite /looping eq; apply/trajectP; exists 0.
  by case/trajectP: inp => j _ ->; have /trajectP[i lt ->] := loopingP loop j; exists i.
rewrite -iterS /passed (cycle_index back lt); case: (ltnP i.+1 (period f n r)) => [lt2 | ge].
  by rewrite cycle_index // trajectSr map_rcons total_rcons addbA.
have same : i.+1 = period f n r by apply/eqP; rewrite eqn_leq lt ge.
rewrite same eq; have -> : index r (traject f r (period f n r)) = 0 by rewrite /period /= eqxx.
rewrite /= addbF; move: even; rewrite /ring_total -same trajectSr map_rcons total_rcons -addbA => ->.
by rewrite addbF.
Qed.

(** Where nobody shares a successor, everything is in a ring. *)
Lemma injective_returns (s : seq nat) x :
  {in s, forall y, f y \in s} -> {in s &, injective f} -> size s <= n -> x \in s -> returns f n x.
Proof.
move=> stays inj small inx.
have back i : returns f n (iter i f x) -> returns f n x.
  elim: i => // i IH ret; apply: IH; have [] := periodP ret.
  have: 0 < period f n (iter i.+1 f x) by [].
  move: (period _ _ _) => per pos; rewrite [iter i.+1 f x]iterS -iter_comm => eq le.
  apply: (@returns_by _ _ per); first by rewrite pos.
  by apply: inj eq; rewrite -?iterD; apply: (stays_on stays).
exact: back (comes_to_ring stays small inx).
Qed.

End Cycle.

Section Board.

Variable board : situation.
Hypothesis formed : well_formed board.

Let placed : well_placed board.
Proof. by case/andP: formed. Qed.

Local Notation n := (size (units board)).
Local Notation go := (aim board).
Local Notation lead := (lead go n).
Local Notation start := (partial_information board [::]).
Local Notation open := (is_open start).

Let start_closed : closed board start.
Proof. exact: partial_information_closed. Qed.

Let sane0 : ~~ contradictory start.
Proof. exact: start_sane. Qed.

Let inside p : p \in open_places board start -> returns go n (iter n go p).
Proof. exact: open_returns. Qed.

(** The sign of the link that leaves the order in [p]: moves in a ring succeed together. *)
Definition link_sign (k : knowledge) (p : province) : bool :=
  match unit_in board p, unit_in board (go p) with
  | Some e, Some d => ~~ is_move e && sign_to board k e d
  | _, _ => false
  end.

Definition ring_sign (k : knowledge) (r : province) : bool := ring_total go n (link_sign k) r.

Lemma link_signE (e d : unit) :
  e \in units board -> d \in units board -> place d = target e ->
  link_sign start (place e) = ~~ is_move e && sign_to board start e d.
Proof.
move=> ine ind at_; rewrite /link_sign (unit_in_place placed ine) (aim_place placed ine) -at_.
by rewrite (unit_in_place placed ind).
Qed.

Lemma open_station_returns (e : unit) : e \in open_stations board start -> returns go n (place e).
Proof.
have units_of u : u \in open_stations board start -> u \in units board by rewrite open_stationP => /and3P[].
move=> ine; apply: (@injective_returns _ _ (map place (open_stations board start))); last exact: map_f.
- move=> p /mapP[u inu ->]; rewrite (aim_place placed (units_of u inu)).
  by have [d ind <-] := target_is_open_station placed start_closed sane0 inu; apply: map_f.
- move=> p q /mapP[u inu ->] /mapP[w inw ->]; rewrite !(aim_place placed) ?units_of // => eq.
  by rewrite (one_open_order_for_each placed start_closed sane0 inu inw eq).
by rewrite size_map size_filter count_size.
Qed.

Lemma open_placeI (u : unit) : u \in units board -> open u -> place u \in open_places board start.
Proof. by move=> inu ou; apply/open_placesP; exists u. Qed.

(** A move in a ring goes where another unit moves away. *)
Lemma ring_move_onward (m : unit) :
  m \in units board -> open m -> is_move m -> returns go n (place m) ->
  exists2 w, w \in units board & is_move w /\ place w = target m.
Proof.
move=> inm om mm back; case E: (has (fun w => is_move w && (place w == target m)) (units board)).
  by case/hasP: E => w inw /andP[mw /eqP at_]; exists w.
have nobody : {in units board, forall w, place w = target m -> ~~ is_move w}.
  move=> w inw at_; apply/negP => mw; move/negP: E; case; apply/hasP; exists w => //; by rewrite mw at_ eqxx.
have [e ine tgt] := open_move_waits placed start_closed sane0 inm om mm nobody.
have [d ind at_] := target_is_open_station placed start_closed sane0 ine.
have on i : exists2 u, u \in open_stations board start & place u = iter i go (place d).
  elim: i => [|i [u inu eq]]; first by exists d.
  have [w inw atw] := target_is_open_station placed start_closed sane0 inu; exists w => //.
  by move: inu; rewrite open_stationP => /and3P[_ _ inu]; rewrite iterS -eq (aim_place placed inu).
have [eq _] := periodP back; have [u] := on (period go n (place m)).-1.
rewrite at_ tgt -(aim_place placed inm) -iterSr eq open_stationP => /and3P[_ stays inu] same.
by move: stays; rewrite (same_place placed inu inm same) mm.
Qed.

(** What is settled from the beginning is fine in every assignment that agrees. *)
Lemma start_settled a (d : unit) :
  agrees a start -> d \in units board -> is_active d -> ~~ open d -> decision board a d = success a d.
Proof.
move=> box ind act od; rewrite (settled_value sane0 box act od); case E: (at_least start (place d)).
  move/(start_justified placed)/(learntP): (E) => [e ine [_ [[[same] w] | [] //]]].
  by rewrite (same_place placed ind ine same); exact: (worst_bound placed box ine w).
have: (place d, false) \in start by move: od; rewrite /is_open act E /= /at_most negbK.
move/(start_justified placed)/learntP => [e ine [_ [[] // | [[same] w]]]].
rewrite (same_place placed ind ine same); apply/negP => dec; move/negP: w; apply.
exact: (best_bound placed box ine dec).
Qed.

(** ** Theorem (ring): in a ring each order is the one before it, or its opposite. *)

Lemma link_equation a (e : unit) :
  agrees a start -> e \in units board -> open e -> returns go n (place e) ->
  {in units board, forall d, open d -> lead (place d) = lead (place e) -> decision board a d = success a d} ->
  a (go (place e)) = a (place e) (+) link_sign start (place e).
Proof.
move=> box ine oe back fine; have inp := open_placeI ine oe; have pos := open_positive inp.
have le d : d \in units board -> place d = target e -> lead (place d) = lead (place e).
  by move=> ind ->; rewrite (lead_target placed start_closed sane0 ine oe).
case me: (is_move e).
  have [w inw [mw at_]] := ring_move_onward ine oe me back.
  rewrite (link_signE ine inw at_) me addbF (aim_place placed ine) -at_.
  have := onward_equation placed start_closed sane0 box ine oe me inw mw at_.
  by rewrite (fine e ine oe erefl) => /esym.
have ins : e \in open_stations board start by rewrite open_stationP oe me.
have [d] := target_is_open_station placed start_closed sane0 ins.
rewrite open_stationP => /and3P[od stays ind] at_.
rewrite (link_signE ine ind at_) me (aim_place placed ine) -at_ -[a (place d)]/(success a d) -(fine d ind od (le d ind at_)).
apply: (station_link formed start_closed sane0 ind od stays ins (esym at_) box) => m inm into.
have mm : is_move m by move: into; rewrite moves_toE => /andP[].
case om: (open m); last by apply: start_settled => //; [apply: move_active | rewrite om].
apply: fine => //; rewrite -(lead_target placed start_closed sane0 inm om) -(le d ind at_).
by move: into; rewrite moves_toE => /andP[_ /eqP ->].
Qed.

Theorem resolution_links a p :
  consistent board a -> p \in open_places board start -> returns go n p -> a (go p) = a p (+) link_sign start p.
Proof.
move=> cons /open_placesP[e ine [oe <-]] back; apply: link_equation => //; first exact: start_agrees.
by move=> d ind od _; apply: (elimT (consistentP placed a) cons) => //; apply: open_active od.
Qed.

(** In a core of moves all succeed, or all fail. *)
Lemma moves_have_no_sign (m : unit) : m \in units board -> is_move m -> link_sign start (place m) = false.
Proof.
move=> inm mm; rewrite /link_sign (unit_in_place placed inm) mm /=.
by case: (unit_in board (go (place m))).
Qed.

Theorem moves_together a (m : unit) :
  consistent board a -> m \in units board -> is_move m -> open m -> returns go n (place m) ->
  a (target m) = success a m.
Proof.
move=> cons inm mm om back; rewrite -(aim_place placed inm).
by rewrite (resolution_links cons (open_placeI inm om) back) (moves_have_no_sign inm mm) addbF.
Qed.

(** ** No resolution where the sign is odd *)

Section Trial.

Variables (r : province) (v : bool).
Hypothesis core : r \in cores board start.

Let l := partial_information board ((r, v) :: start).

Let inr : r \in open_places board start.
Proof. by move: core; rewrite coresP // => /and3P[]. Qed.

Let back : returns go n r.
Proof. by move: core; rewrite coresP // => /and3P[]. Qed.

Let lead_r : lead r = r.
Proof. by move: core; rewrite coresP // => /and3P[_ _ /eqP]. Qed.

Let pos : 0 < n.
Proof. exact: open_positive inr. Qed.

Lemma ring_open i : iter i go r \in open_places board start.
Proof. by apply: (@stays_on go (open_places board start)) => // p inp; apply: aim_open. Qed.

Lemma ring_lead i : lead (iter i go r) = r.
Proof. by rewrite lead_iter // inside. Qed.

Lemma trial_more : {subset start <= l}.
Proof. by move=> x inx; apply: partial_information_extends; rewrite inE inx orbT. Qed.

Lemma trial_knows : (r, v) \in l.
Proof. by apply: partial_information_extends; rewrite inE eqxx. Qed.

Lemma odd_trial : ~~ contradictory l -> ring_sign start r = false.
Proof.
move=> sane; have clos : closed board l by apply: partial_information_closed.
have more := trial_more; have box : agrees (at_least l) start by apply: l_in_box.
have no u : u \in units board -> lead (place u) = r -> ~~ is_open l u.
  move=> inu eq; apply: (settled_with_core placed start_closed sane0 clos sane more inu).
  by rewrite eq; exact: known_not_open trial_knows.
apply: (@even_ring go n _ (at_least l)) => // i.
have /open_placesP[e ine [oe eq]] := ring_open i; rewrite -eq.
have le : lead (place e) = r by rewrite eq ring_lead.
apply: link_equation => //; first by rewrite eq; apply: returns_next.
rewrite le => d ind od ld; apply: (settled_equation placed clos sane ind (open_active od)) => u inu rd.
case ou: (open u); last by apply: contraFN ou; apply: open_less.
by apply: no => //; rewrite (same_core placed start_closed sane0 ind od inu ou rd).
Qed.

(** ** Two where it is even *)

Section Even.

Hypothesis even : ring_sign start r = false.

Definition round (p : province) : bool := passed go n (link_sign start) r v p.

(** The ring as it comes round, all else as it is settled. *)
Definition on_ring (p : province) : bool :=
  if (p \in open_places board start) && returns go n p then round p else at_least start p.

Definition is_onward (p : province) : bool :=
  if unit_in board (go p) is Some u then is_move u else false.

Definition stops (p : province) : bool := returns go n p || ~~ is_onward p.

Definition stop (p : province) : province := iter (find stops (traject go p n.+1)) go p.

Definition spread (p : province) : bool :=
  if p \in open_places board start then
    if returns go n (stop p) then round (stop p) else step board on_ring (stop p)
  else at_least start p.

Lemma on_ring_box : agrees on_ring start.
Proof.
move=> [p b] inp /=; rewrite /on_ring (negbTE (known_not_open board inp)) /=.
exact: (low_in_box sane0 inp).
Qed.

Lemma spread_box : agrees spread start.
Proof.
move=> [p b] inp /=; rewrite /spread (negbTE (known_not_open board inp)).
exact: (low_in_box sane0 inp).
Qed.

Lemma stop_here p : stops p -> stop p = p.
Proof. by move=> st; rewrite /stop /= st. Qed.

Lemma stop_next p : p \in open_places board start -> ~~ stops p -> stop p = stop (go p).
Proof.
move=> inp st; have one : find stops (traject go p n.+1) = (find stops (traject go (go p) n)).+1.
  by rewrite /= (negbTE st).
rewrite /stop one iterSr.
congr (iter _ go (go p)); rewrite trajectSr -cats1 find_cat.
case: ifP => // /negbT /hasPn none.
have inl : iter n go p \in traject go (go p) n.
  by apply/trajectP; exists n.-1; rewrite ?prednK // -iterSr prednK.
by move: (none _ inl); rewrite /stops inside.
Qed.

Lemma ring_spread p : p \in open_places board start -> returns go n p -> spread p = round p.
Proof. by move=> inp ret; rewrite /spread inp stop_here ?ret // /stops ret. Qed.

(** The equations of all that leads to the ring hold. *)
Lemma landing_fine (m : unit) :
  m \in units board -> open m -> is_move m -> ~~ returns go n (place m) -> ~~ is_onward (place m) ->
  decision board spread m = success spread m.
Proof.
move=> inm om mm ret on; have inp := open_placeI inm om.
have st : stops (place m) by rewrite /stops on orbT.
rewrite [success _ m]/success [spread (place m)]/spread inp stop_here // (negbTE ret) step_place //.
apply: decision_same => // u inu rd; case ou: (open u); last first.
  by apply: (settled_same sane0 spread_box on_ring_box); [case/andP: rd | rewrite ou].
have su : ~~ is_move u.
  apply/negP => mu; move: rd; rewrite /reads mm mu /= => /andP[_ /orP[/eqP at_ | /hasP[w _ /supports_move_facts[_]]]].
    by move: on; rewrite /is_onward (aim_place placed inm) -at_ unit_in_place // mu.
  by rewrite mu.
have ins : u \in open_stations board start by rewrite open_stationP ou su.
have inq := open_placeI inu ou; have retu := open_station_returns ins.
by rewrite /success ring_spread // /on_ring inq retu.
Qed.

Lemma spread_fine (d : unit) :
  d \in units board -> open d -> lead (place d) = r -> decision board spread d = success spread d.
Proof.
move=> ind od ld; have inp := open_placeI ind od.
case md: (is_move d); last first.
  have ins : d \in open_stations board start by rewrite open_stationP od md.
  have [e ine tgt] := open_station_waits placed start_closed sane0 ins.
  have := ine; rewrite open_stationP => /and3P[oe se ine2]; have inq := open_placeI ine2 oe.
  have rete := open_station_returns ine; have retd := open_station_returns ins.
  have -> : decision board spread d = success spread e (+) sign_to board start e d.
    apply: (station_link formed start_closed sane0 ind od _ ine tgt spread_box); first by rewrite md.
    move=> m inm into; have mm : is_move m by move: into; rewrite moves_toE => /andP[].
    case om: (open m); last by apply: start_settled; rewrite ?om ?move_active //; apply: spread_box.
    have at_ : target m = place d by move: into; rewrite moves_toE => /andP[_ /eqP].
    have on : ~~ is_onward (place m) by rewrite /is_onward (aim_place placed inm) at_ unit_in_place // md.
    apply: landing_fine => //; apply/negP => ret.
    have [w inw [mw atw]] := ring_move_onward inm om mm ret.
    by rewrite at_ in atw; rewrite (same_place placed inw ind atw) md in mw.
  have le : lead (place e) = r by rewrite -(lead_target placed start_closed sane0 ine2 oe) tgt.
  have inring : place e \in traject go r n.
    have := lead_reached pos (inside inq); rewrite le => [[i ->]].
    by rewrite (ring_same i rete) (in_traject 0 rete).
  have there : go (place e) = place d by rewrite (aim_place placed ine2).
  rewrite /success !ring_spread // /round -there (passed_link v back even inring).
  by rewrite (link_signE ine2 ind (esym tgt)) se.
case ret: (returns go n (place d)).
  have [w inw [mw at_]] := ring_move_onward ind od md ret.
  have ow := onward_waits placed start_closed sane0 ind od md inw mw at_; have inq := open_placeI inw ow.
  rewrite (onward_equation placed start_closed sane0 spread_box ind od md inw mw at_) /success.
  have inring : place d \in traject go r n.
    have := lead_reached pos (inside inp); rewrite ld => [[i ->]].
    by rewrite (ring_same i ret) (in_traject 0 ret).
  have retw : returns go n (place w) by rewrite at_ -(aim_place placed ind); apply: (returns_next 1 ret).
  rewrite !ring_spread // at_ -(aim_place placed ind) /round (passed_link v back even inring).
  by rewrite (link_signE ind inw at_) md addbF.
case on: (is_onward (place d)); last by apply: landing_fine; rewrite ?ret ?on.
move: (on); rewrite /is_onward (aim_place placed ind); case E: (unit_in board (target d)) => [w|] // mw.
have [inw at_] := unit_in_some E.
have ow := onward_waits placed start_closed sane0 ind od md inw mw at_; have inq := open_placeI inw ow.
rewrite (onward_equation placed start_closed sane0 spread_box ind od md inw mw at_) /success /spread inq inp.
by rewrite at_ -(aim_place placed ind) -stop_next // /stops ret on.
Qed.

(** What the trial learns is about its own ring, and so. *)
Definition of_ring (k : knowledge) : Prop :=
  {in k, forall x, spread x.1 = x.2 /\ (x.1 \in open_places board start -> lead x.1 = r)}.

Lemma of_ring_agrees k : of_ring k -> agrees spread k.
Proof. by move=> fit x /fit[]. Qed.

Lemma of_ring_learns k : {subset start <= k} -> of_ring k -> of_ring (learnt board k).
Proof.
move=> sub fit x /learntP[d ind [act known]]; have box := of_ring_agrees fit.
have value : x.1 = place d /\ x.2 = decision board spread d.
  case: known => [[-> w] | [-> b]]; split=> //=; first by rewrite (worst_bound placed box ind w).
  by apply/esym/negbTE; apply: contra b; apply: (best_bound placed box ind).
case: value => -> ->; case od: (open d); last first.
  split; first by rewrite (start_settled spread_box ind act) ?od.
  by case/open_placesP => e ine [oe same]; rewrite (same_place placed ine ind same) od in oe.
have ours : lead (place d) = r; last by split=> //; rewrite spread_fine.
apply/eqP; apply/negPn/negP => other.
have same u : u \in units board -> reads board d u ->
    (at_least k (place u) = at_least start (place u)) * (at_most k (place u) = at_most start (place u)).
  move=> inu rd; have actu : is_active u by case/andP: rd.
  case ou: (open u).
    have lu : lead (place u) != r by rewrite (same_core placed start_closed sane0 ind od inu ou rd).
    have not b : (place u, b) \notin k.
      by apply/negP => /fit[_ /(_ (open_placeI inu ou))] /= eq; rewrite eq eqxx in lu.
    by rewrite (open_low ou) (open_high ou) /at_least /at_most (negbTE (not true)) (not false).
  have sane_k := agrees_sane box; have set := negbT ou.
  have setk : ~~ is_open k u by apply: contraFN ou; apply: open_less.
  have low : at_least k (place u) = at_least start (place u).
    by rewrite -(settled_value sane_k box actu setk) (settled_value sane0 spread_box actu set).
  split=> //; have high j : agrees spread j -> ~~ contradictory j -> ~~ is_open j u -> at_most j (place u) = success spread u.
    move=> agj sj setj; apply: esym; have := settled_same sj agj (high_in_box sj) actu setj; exact.
  by rewrite (high k box sane_k setk) (high start spread_box sane0 set).
have [w b] : pessimistic board k d = pessimistic board start d /\ optimistic board k d = optimistic board start d.
  split; apply: decision_same => // u inu /(same u inu)[low high]; rewrite !view_helped // low high //.
case: known => [[_] | [_]]; first by rewrite w (open_worst start_closed ind od).
by rewrite b (open_best start_closed ind od).
Qed.

Lemma of_ring_start : of_ring start.
Proof.
move=> [p b] inx /=; split; first exact: (spread_box inx).
by move=> inp; move: (known_not_open board inx); rewrite inp.
Qed.

Lemma learn_of_ring m k : {subset start <= k} -> of_ring k -> of_ring (learn board m k).
Proof.
elim: m k => [|m IH] k sub fit //=; case E: (news board k) => [|x xs] //; rewrite -E; apply: IH.
  by move=> y /sub iny; rewrite mem_cat iny.
by move=> y; rewrite mem_cat => /orP[/fit | /news_sub /(of_ring_learns sub fit)].
Qed.

Lemma even_trial : ~~ contradictory l.
Proof.
apply: (agrees_sane (a := spread)); apply: of_ring_agrees; apply: learn_of_ring.
  by move=> x inx; rewrite inE inx orbT.
move=> x; rewrite inE => /predU1P[-> | ]; last exact: of_ring_start.
by rewrite /= ring_spread // /round passed_start lead_r.
Qed.

End Even.

End Trial.

(** ** Theorem 3: two or none, by the sign *)
Theorem two_or_none r :
  r \in cores board start -> trials board start r = if ring_sign start r then [::] else [:: true; false].
Proof.
move=> core; have all v : ~~ contradictory (partial_information board ((r, v) :: start)) = ~~ ring_sign start r.
  by apply/idP/idP => [/(odd_trial core) -> // | /negbTE]; apply: even_trial.
by rewrite /trials /= !all; case: (ring_sign start r).
Qed.

(** ** Theorem 5: none where a core has none, else two for each core *)
Theorem number_by_signs :
  size (resolutions board) =
  if has (ring_sign start) (cores board start) then 0 else 2 ^ size (cores board start).
Proof.
rewrite number_of_resolutions //; have: {subset cores board start <= cores board start} by [].
elim: {1 3 4 5}(cores board start) => //= r rs IH sub.
rewrite two_or_none ?sub ?mem_head //; case: (ring_sign start r) => //=.
rewrite IH; last by move=> s ins; apply: sub; rewrite inE ins orbT.
by case: ifP; rewrite ?muln0 // expnS.
Qed.

(** ** Theorem: exactly one resolution just if partial information settles all *)
Theorem one_just_if_settled : size (resolutions board) = 1 <-> open_places board start = [::].
Proof.
rewrite number_by_signs; split=> [one | none]; last first.
  by rewrite /cores none.
case E: (open_places board start) => [|p ps] //.
have inp : p \in open_places board start by rewrite E mem_head.
have core := lead_core placed start_closed sane0 inp.
move: one core; case: ifP => // _; case: (cores board start) => // r rs /eqP.
by rewrite [size _]/= expnS muln_eq1.
Qed.

End Board.
