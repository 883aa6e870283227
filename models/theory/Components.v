(** * The cores of docs/papers/cores.md are the rings

    There "a core is a strongly connected component of 'looks at' among the open decisions from which no other open decision
    is looked at".  This is that definition, and the proof that such a core is a ring of targets with the moves to its
    stations. *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Stations Rings Cores Product Signs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** An assignment with one value changed. *)
Definition with_value (a : province -> bool) (p : province) (v : bool) : province -> bool :=
  fun q => if q == p then v else a q.

(** One decision looks at another "if changing the other can change it", whatever is known being so. *)
Definition looks_at (board : situation) (k : knowledge) (d u : unit) : Prop :=
  exists2 a, agrees a k &
    decision board (with_value a (place u) true) d <> decision board (with_value a (place u) false) d.

(** From one open decision to another by "looks at". *)
Inductive leads_to (board : situation) (k : knowledge) (d : unit) : unit -> Prop :=
  | Here : leads_to board k d d
  | Further u w :
    leads_to board k d u -> w \in units board -> is_open k w -> looks_at board k u w -> leads_to board k d w.

(** From [d] one always comes back: what it leads to is a strongly connected component that nothing open leads out of. *)
Definition in_component (board : situation) (k : knowledge) (d : unit) : Prop :=
  forall u, leads_to board k d u -> leads_to board k u d.

(** A ring, by its first province, and the moves to its stations. *)
Definition in_ring_of (board : situation) (k : knowledge) (core : province) (d : unit) : bool :=
  [&& is_open k d, lead (aim board) (size (units board)) (place d) == core & stops board (place d)].

Section Components.

Variable board : situation.
Hypothesis formed : well_formed board.

Let placed : well_placed board.
Proof. by case/andP: formed. Qed.

Local Notation n := (size (units board)).
Local Notation go := (aim board).
Local Notation lead := (Rings.lead go n).
Local Notation start := (partial_information board [::]).
Local Notation open := (is_open start).
Local Notation leads := (leads_to board start).

Let start_closed : closed board start.
Proof. exact: partial_information_closed. Qed.

Let sane0 : ~~ contradictory start.
Proof. exact: start_sane. Qed.

Lemma leads_trans d u w : leads d u -> leads u w -> leads d w.
Proof. by move=> du uw; elim: uw => // x y _ dx iny oy look; apply: Further dx iny oy look. Qed.

Lemma leads_step d u : u \in units board -> open u -> looks_at board start d u -> leads d u.
Proof. by move=> inu ou look; apply: Further look => //; apply: Here. Qed.

Lemma looks_reads d u : d \in units board -> u \in units board -> open u -> looks_at board start d u -> reads board d u.
Proof.
move=> ind inu ou [a _ differ]; apply/negPn/negP => no; apply: differ; apply: decision_same => // w inw rd.
rewrite /success /with_value; case: eqP => // same; move/negP: no; case.
by rewrite -(same_place placed inw inu same).
Qed.

(** Every open decision looks at an open one. *)
Lemma open_looks d : d \in units board -> open d -> exists2 u, u \in units board & open u /\ looks_at board start d u.
Proof.
move=> ind od; pose f := view board d (at_least start) (at_most start); pose g := view board d (at_most start) (at_least start).
pose h us p := if p \in map place us then g p else f p.
have box us : agrees (h us) start.
  move=> x inx; rewrite /h; case: ifP => _; first by apply: (best_in_box board sane0 d).
  by apply: (worst_in_box board sane0 d).
have all : decision board (h (units board)) d.
  suff <- : optimistic board start d = decision board (h (units board)) d by apply: open_best.
  by apply: decision_same => // u inu _; rewrite [RHS]/success /h (map_f place inu).
have: {subset units board <= units board} by []; move: all; elim: {1 2}(units board) => [|u us IH] all sub.
  have none : decision board (h [::]) d = pessimistic board start d by apply: decision_same.
  by rewrite all (open_worst start_closed ind od) in none.
have inu : u \in units board by apply: sub; rewrite mem_head.
case E: (decision board (h us) d); first by apply: IH => // w inw; apply: sub; rewrite inE inw orbT.
have apart w : place w != place u -> success (h (u :: us)) w = success (h us) w.
  by rewrite /success /h /= inE => /negbTE ->.
have act_differ : is_active u /\ success (h (u :: us)) u != success (h us) u.
  apply/andP; apply/negPn/negP => no; have: decision board (h (u :: us)) d = decision board (h us) d.
    apply: decision_same => // w inw rd; case: (place w =P place u) => [same | /eqP]; last exact: apart.
    have eq := same_place placed inw inu same; subst w; apply/eqP; move: no; rewrite negb_and negbK.
    by case/andP: rd => -> _.
  by rewrite all E.
have ou : open u.
  case: act_differ => act differ; apply/negPn/negP => set; move/negP: differ; apply; apply/eqP.
  exact: (settled_same sane0 (box _) (box _) act set).
exists u => //; split=> //; exists (h us); first exact: box.
have one b : decision board (with_value (h us) (place u) b) d =
    if b == success (h (u :: us)) u then decision board (h (u :: us)) d else decision board (h us) d.
  have same c : (forall w, place w = place u -> success c w = b) ->
      (forall w, place w != place u -> success c w = success (h us) w) ->
      decision board (with_value (h us) (place u) b) d = decision board c d.
    move=> here there; apply: decision_same => // w inw _; rewrite [LHS]/success /with_value.
    by case: eqP => [eq | /eqP ne]; [rewrite here | rewrite there].
  case: eqP => [eqb | ne]; apply: same => w //.
  - by rewrite eqb /success => ->.
  - exact: apart.
  - rewrite /success => ->; case: act_differ => _; move: ne; rewrite /success.
    by case: b; case: (h (u :: us) _) => //; case: (h us _).
by rewrite !one all E; case: (success _ u).
Qed.

(** ** Nothing leads out of a ring *)

Lemma ring_closed c d u :
  d \in units board -> in_ring_of board start c d -> u \in units board -> open u -> looks_at board start d u ->
  in_ring_of board start c u.
Proof.
move=> ind /and3P[od /eqP ld st] inu ou look; have rd := looks_reads ind inu ou look.
rewrite /in_ring_of ou (same_core placed start_closed sane0 ind od inu ou rd) ld eqxx /=.
have station w : w \in units board -> open w -> ~~ is_move w -> stops board (place w).
  move=> inw ow sw; rewrite /stops (open_station_returns formed) //; by rewrite open_stationP ow sw.
case md: (is_move d); last first.
  case mu: (is_move u); last by apply: station; rewrite ?mu.
  move: rd; rewrite /reads md => /andP[_ /eqP tu].
  by rewrite /stops /is_onward (aim_place placed inu) tu (unit_in_place placed ind) md orbT.
case on: (is_onward board (place d)).
  move: (on); rewrite /is_onward (aim_place placed ind); case E: (unit_in board (target d)) => [w|] // mw.
  have [inw at_] := unit_in_some E; have eq := onward_reads_one placed start_closed sane0 ind md inw mw at_ inu rd ou.
  have ret : returns go n (place d) by move: st; rewrite /stops on orbF.
  by rewrite eq at_ -(aim_place placed ind) /stops (returns_next 1 ret).
apply: station => //; apply/negP => mu; move: rd; rewrite /reads md mu /= => /andP[_ /orP[/eqP at_ | /hasP[w _]]].
  by move: on; rewrite /is_onward (aim_place placed ind) -at_ (unit_in_place placed inu) mu.
by case/supports_move_facts => _; rewrite mu.
Qed.

Lemma leads_in_ring c d u : d \in units board -> in_ring_of board start c d -> leads d u -> u \in units board /\ in_ring_of board start c u.
Proof.
move=> ind ring; elim=> // x y _ [inx ringx] iny oy look; split=> //; exact: ring_closed inx ringx iny oy look.
Qed.

(** ** All in a ring lead to each other *)

(** From a move to a station, and from the order there, to the order before. *)
Lemma leads_back d e :
  d \in units board -> open d -> ~~ is_move d -> e \in open_stations board start -> target e = place d -> leads d e.
Proof.
move=> ind od sd ine tgt; have := ine; rewrite open_stationP => /and3P[oe se ine2].
have by_move m : m \in units board -> open m -> moves_to (place d) m -> leads m e.
  move=> inm om into; have [u inu [ou look]] := open_looks inm om.
  have rd := looks_reads inm inu ou look.
  rewrite -(reader_is_e formed start_closed sane0 ind sd ine tgt inu into rd ou).
  exact: leads_step.
have [u inu [ou look]] := open_looks ind od; have rd := looks_reads ind inu ou look.
have tu : target u = place d by move: rd; rewrite /reads (negbTE sd) => /andP[_ /eqP].
case mu: (is_move u).
  apply: leads_trans (leads_step inu ou look) _; apply: by_move => //; by rewrite moves_toE mu tu eqxx.
have ins : u \in open_stations board start by rewrite open_stationP ou mu.
rewrite -(one_open_order_for_each placed start_closed sane0 ins ine) ?tu //; exact: leads_step.
Qed.

(** A station looks at every open move to it. *)
Lemma looks_at_comer d m :
  d \in units board -> open d -> ~~ is_move d -> m \in units board -> open m -> moves_to (place d) m ->
  looks_at board start d m.
Proof.
move=> ind od sd inm om into; exists (at_least start); first exact: low_in_box.
have -> : decision board (with_value (at_least start) (place m) false) d.
  rewrite (@decision_same _ placed _ _ (at_least start)) //; first exact: (best_low formed start_closed ind od sd).
  move=> u inu _; rewrite /success /with_value; case: eqP => // ->; by rewrite (open_low om).
have win : success (with_value (at_least start) (place m) true) m by rewrite /success /with_value eqxx.
suff -> : decision board (with_value (at_least start) (place m) true) d = false by [].
apply/negbTE; move: sd (open_active od); rewrite /is_move /is_active /decision.
case: (ordered d) => // *; rewrite ?negb_and negbK; try (apply/orP).
- by right; apply/hasP; exists m => //; rewrite /cuts into win.
- by right; apply/hasP; exists m => //; rewrite /cuts into win.
by apply/hasP; exists m => //; rewrite into.
Qed.

(** Going on from an open station one comes to open stations only. *)
Lemma stations_ahead e i :
  e \in open_stations board start -> exists2 u, u \in open_stations board start & place u = iter i go (place e).
Proof.
move=> ine; elim: i => [|i [u inu eq]]; first by exists e.
have [w inw at_] := target_is_open_station placed start_closed sane0 inu; exists w => //.
by rewrite iterS -eq at_ (aim_place placed) //; move: inu; rewrite open_stationP => /and3P[].
Qed.

Lemma stations_back i d e :
  d \in open_stations board start -> e \in open_stations board start -> iter i go (place e) = place d -> leads d e.
Proof.
elim: i d => [|i IH] d ind ine eq.
  have := ind; have := ine; rewrite !open_stationP => /and3P[_ _ ine2] /and3P[_ _ ind2].
  by rewrite (same_place placed ine2 ind2 eq); apply: Here.
have [w inw at_] := stations_ahead i ine; apply: leads_trans (IH w inw ine (esym at_)).
have := ind; have := inw; rewrite !open_stationP => /and3P[_ _ inw2] /and3P[od sd ind2].
by apply: leads_back => //; rewrite -(aim_place placed inw2) at_ -eq iterS.
Qed.

Lemma open_pos (d : unit) : d \in units board -> 0 < n.
Proof. by case: (units board). Qed.

Lemma same_ring x y : 0 < n -> returns go n x -> returns go n y -> lead x = lead y -> exists i, iter i go x = y.
Proof.
move=> pos rx ry eq; have [i ei] := lead_reached pos (returns_next n rx).
have [j ej] := lead_reached pos (returns_next n ry); have [l el] := back_by j ry.
by exists (l + i); rewrite iterD -ei eq ej.
Qed.

Lemma ring_of_station d u :
  d \in open_stations board start -> u \in units board -> returns go n (place u) -> lead (place u) = lead (place d) ->
  exists2 i, iter i go (place u) = place d & u \in open_stations board start.
Proof.
move=> ind inu ret eq; have retd := open_station_returns formed ind; have pos := open_pos inu.
have [i ei] := same_ring pos ret retd eq; exists i => //; have [j ej] := same_ring pos retd ret (esym eq).
have [w inw at_] := stations_ahead j ind; rewrite ej in at_.
by have := inw; rewrite open_stationP => /and3P[_ _ inw2]; rewrite -(same_place placed inw2 inu at_).
Qed.

(** The station that a landing move goes to. *)
Lemma landing_station (m : unit) :
  m \in units board -> open m -> is_move m -> ~~ is_onward board (place m) ->
  exists2 q, q \in open_stations board start & place q = target m.
Proof.
move=> inm om mm on; have [e ine tgt] : exists2 e, e \in open_stations board start & target e = target m.
  apply: (open_move_waits placed start_closed sane0 inm om mm) => w inw at_; apply: contra on => mw.
  by rewrite /is_onward (aim_place placed inm) -at_ (unit_in_place placed inw).
have [q inq at_] := target_is_open_station placed start_closed sane0 ine; exists q => //; by rewrite at_.
Qed.

Lemma station_to_ring c d u :
  d \in open_stations board start -> lead (place d) = c -> u \in units board -> in_ring_of board start c u -> leads d u.
Proof.
move=> ind ld inu /and3P[ou /eqP lu st]; have eq : lead (place u) = lead (place d) by rewrite lu.
case ret: (returns go n (place u)).
  have [i ei ins] := ring_of_station ind inu ret eq; exact: stations_back ei.
have on : ~~ is_onward board (place u) by move: st; rewrite /stops ret.
case mu: (is_move u); last first.
  have ins : u \in open_stations board start by rewrite open_stationP ou mu.
  by rewrite (open_station_returns formed ins) in ret.
have [q inq at_] := landing_station inu ou mu on; have := inq; rewrite open_stationP => /and3P[oq sq inq2].
have lq : lead (place q) = lead (place d) by rewrite at_ (lead_target placed start_closed sane0 inu ou).
have [i ei _] := ring_of_station ind inq2 (open_station_returns formed inq) lq.
apply: leads_trans (stations_back ind inq ei) _; apply: leads_step => //.
by apply: looks_at_comer => //; rewrite moves_toE mu at_ eqxx.
Qed.

Lemma onward_step (m w : unit) :
  m \in units board -> open m -> is_move m -> w \in units board -> is_move w -> place w = target m -> leads m w.
Proof.
move=> inm om mm inw mw at_; have [u inu [ou look]] := open_looks inm om.
rewrite -(onward_reads_one placed start_closed sane0 inm mm inw mw at_ inu (looks_reads inm inu ou look) ou).
exact: leads_step.
Qed.

Lemma moves_ahead i (m : unit) :
  m \in units board -> open m -> is_move m -> returns go n (place m) ->
  exists2 w, w \in units board & [/\ open w, is_move w, place w = iter i go (place m) & leads m w].
Proof.
move=> inm om mm ret; elim: i => [|i [w inw [ow mw eq lw]]]; first by exists m => //; split=> //; apply: Here.
have retw : returns go n (place w) by rewrite eq; apply: returns_next.
have [x inx [mx at_]] := ring_move_onward formed inw ow mw retw; exists x => //; split=> //.
- exact: (onward_waits placed start_closed sane0 inw ow mw inx mx at_).
- by rewrite at_ -(aim_place placed inw) eq.
exact: leads_trans lw (onward_step inw ow mw inx mx at_).
Qed.

Lemma ring_connected c d u :
  d \in units board -> in_ring_of board start c d -> u \in units board -> in_ring_of board start c u -> leads d u.
Proof.
move=> ind ringd inu ringu; have /and3P[od /eqP ld std] := ringd; have /and3P[ou /eqP lu stu] := ringu.
case md: (is_move d); last first.
  by apply: (station_to_ring (c := c) _ ld inu ringu); rewrite open_stationP od md.
case ret: (returns go n (place d)).
  have no q : q \in open_stations board start -> lead (place q) = c -> False.
    move=> inq lq; have eq : lead (place d) = lead (place q) by rewrite ld lq.
    by have [i _] := ring_of_station inq ind ret eq; rewrite open_stationP md andbF.
  case retu: (returns go n (place u)).
    have [i ei] := same_ring (open_pos ind) ret retu (etrans ld (esym lu)).
    have [w inw [_ _ at_ lw]] := moves_ahead i ind od md ret.
    by rewrite -(same_place placed inw inu (etrans at_ ei)).
  have on : ~~ is_onward board (place u) by move: stu; rewrite /stops retu.
  case mu: (is_move u); last by case: (no u) => //; rewrite open_stationP ou mu.
  have [q inq at_] := landing_station inu ou mu on; case: (no q) => //.
  by rewrite at_ (lead_target placed start_closed sane0 inu ou).
have on : ~~ is_onward board (place d) by move: std; rewrite /stops ret.
have [x inx [ox look]] := open_looks ind od; have ringx := ring_closed ind ringd inx ox look.
apply: leads_trans (leads_step inx ox look) _; have /and3P[_ /eqP lx _] := ringx.
apply: (station_to_ring (c := c) _ lx inu ringu); rewrite open_stationP ox inx andbT /=; apply/negP => mx.
have := looks_reads ind inx ox look; rewrite /reads md mx /= => /andP[_ /orP[/eqP at_ | /hasP[w _]]].
  by move: on; rewrite /is_onward (aim_place placed ind) -at_ (unit_in_place placed inx) mx.
by case/supports_move_facts => _; rewrite mx.
Qed.

(** Whatever is open leads to its ring. *)
Lemma leads_to_ring_in i (d : unit) :
  d \in units board -> open d -> returns go n (iter i go (place d)) ->
  exists2 s, s \in units board & in_ring_of board start (lead (place d)) s /\ leads d s.
Proof.
elim: i d => [|i IH] d ind od ret.
  by exists d => //; split; [rewrite /in_ring_of od eqxx /stops ret | apply: Here].
case st: (stops board (place d)).
  by exists d => //; split; [rewrite /in_ring_of od eqxx st | apply: Here].
move/negbT: st; rewrite negb_or negbK => /andP[noret on].
case md: (is_move d); last first.
  have ins : d \in open_stations board start by rewrite open_stationP od md.
  by rewrite (open_station_returns formed ins) in noret.
move: on; rewrite /is_onward (aim_place placed ind); case E: (unit_in board (target d)) => [w|] // mw.
have [inw at_] := unit_in_some E; have ow := onward_waits placed start_closed sane0 ind od md inw mw at_.
have lw : lead (place w) = lead (place d) by rewrite at_ (lead_target placed start_closed sane0 ind od).
have [s ins [rings ls]] : exists2 s, s \in units board & in_ring_of board start (lead (place w)) s /\ leads w s.
  by apply: IH => //; rewrite at_ -(aim_place placed ind) -iterSr.
exists s => //; rewrite lw in rings; split=> //; exact: leads_trans (onward_step ind od md inw mw at_) ls.
Qed.

Lemma leads_to_ring (d : unit) :
  d \in units board -> open d ->
  exists2 s, s \in units board & in_ring_of board start (lead (place d)) s /\ leads d s.
Proof.
move=> ind od; apply: (@leads_to_ring_in n) => //.
exact: (open_returns placed start_closed sane0 (open_placeI ind od)).
Qed.

(** ** Theorem: the cores are the rings *)

Theorem rings_are_components (core : province) (d : unit) :
  d \in units board -> in_ring_of board start core d ->
  in_component board start d /\
  (forall u, leads_to board start d u <-> u \in units board /\ in_ring_of board start core u).
Proof.
move=> ind ring; split=> [u lu | u].
  by have [inu ringu] := leads_in_ring ind ring lu; apply: ring_connected ringu ind ring.
split; first exact: leads_in_ring.
by case=> inu ringu; apply: ring_connected ringu.
Qed.

Theorem components_are_rings (d : unit) :
  d \in units board -> open d -> in_component board start d ->
  exists2 core, core \in cores board start &
    forall u, leads_to board start d u <-> u \in units board /\ in_ring_of board start core u.
Proof.
move=> ind od comp; have [s ins [rings ls]] := leads_to_ring ind od.
exists (lead (place d)); first exact: (lead_core placed start_closed sane0 (open_placeI ind od)).
have [_ ringd] := leads_in_ring ins rings (comp s ls).
by have [_] := rings_are_components ind ringd.
Qed.

End Components.
