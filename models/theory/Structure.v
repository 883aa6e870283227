(** * What is open once partial information has nothing more to say: rings

    Theorems 1 and 4 of docs/papers/cores.md, for whatever is known so far, so long as it does not contradict itself. *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** A unit that is ordered to support or to convoy. *)
Definition at_station (u : unit) : bool := is_active u && ~~ is_move u.

Section Structure.

Variable board : situation.
Hypothesis placed : well_placed board.
Variable k : knowledge.
Hypothesis k_closed : closed board k.
Hypothesis k_sane : ~~ contradictory k.

Local Notation open := (is_open k).

Lemma sane p : (p, true) \in k -> (p, false) \in k -> False.
Proof. by move=> t f; move/negP: k_sane; case; apply/hasP; exists (p, true). Qed.

Lemma low_in_box : agrees (at_least k) k.
Proof.
move=> [p []] inp //=; apply/negbTE/negP => t; exact: sane t inp.
Qed.

Lemma high_in_box : agrees (at_most k) k.
Proof.
move=> [p []] inp /=; last by rewrite /at_most inp.
by apply/negP => f; exact: sane inp f.
Qed.

Lemma low_high p : at_least k p -> at_most k p.
Proof. by move=> low; rewrite -[at_most k p]/(at_most k (p, true).1) high_in_box. Qed.

Lemma settled_value a (u : unit) : agrees a k -> is_active u -> ~~ open u -> success a u = at_least k (place u).
Proof.
move=> ag act; rewrite /is_open act /= negb_and negbK => /orP[low | ]; first by rewrite low (low_agrees ag low).
rewrite /at_most negbK => hi; rewrite /success (ag _ hi) /=; apply/esym/negbTE/negP => low; exact: sane low hi.
Qed.

Lemma settled_same a b (u : unit) :
  agrees a k -> agrees b k -> is_active u -> ~~ open u -> success a u = success b u.
Proof. by move=> aa ab act set; rewrite (settled_value aa act set) (settled_value ab act set). Qed.

Lemma view_in_box d f g : agrees f k -> agrees g k -> agrees (view board d f g) k.
Proof.
move=> af ag x inx; rewrite /view; case: (unit_in _ _) => [u|]; last exact: ag.
by case: (helps d u); [apply: af | apply: ag].
Qed.

Lemma worst_in_box d : agrees (view board d (at_least k) (at_most k)) k.
Proof. by apply: view_in_box; [apply: low_in_box | apply: high_in_box]. Qed.

Lemma best_in_box d : agrees (view board d (at_most k) (at_least k)) k.
Proof. by apply: view_in_box; [apply: high_in_box | apply: low_in_box]. Qed.

Lemma open_active d : open d -> is_active d.
Proof. by case/and3P. Qed.

Lemma open_low d : open d -> at_least k (place d) = false.
Proof. by case/and3P => _ /negbTE. Qed.

Lemma open_high d : open d -> at_most k (place d) = true.
Proof. by case/and3P. Qed.

Lemma open_worst d : d \in units board -> open d -> pessimistic board k d = false.
Proof.
move=> ind od; apply/negP => w; move: (open_low od); rewrite /at_least.
by rewrite (closed_sub k_closed) //; apply/learntP; exists d => //; split; [apply: open_active | left].
Qed.

Lemma open_best d : d \in units board -> open d -> optimistic board k d.
Proof.
move=> ind od; apply/negPn/negP => b; move: (open_high od); rewrite /at_most.
by rewrite (closed_sub k_closed) //; apply/learntP; exists d => //; split; [apply: open_active | right].
Qed.

(** Where nothing that is read is open, an order is not open. *)
Lemma open_reads d : d \in units board -> open d -> exists2 u, u \in units board & reads board d u && open u.
Proof.
move=> ind od; case E: (has (fun u => reads board d u && open u) (units board)); first by case/hasP: E => u; exists u.
have same : pessimistic board k d = optimistic board k d.
  apply: decision_same => // u inu rd; apply: (settled_same (worst_in_box d) (best_in_box d)); first by case/andP: rd.
  by apply/negP => ou; move/negP: E; case; apply/hasP; exists u => //; rewrite rd.
by move: (open_best ind od); rewrite -same open_worst.
Qed.

(** ** Stations *)

Lemma move_into_reads (q m u : unit) :
  q \in units board -> u \in units board -> ~~ is_move q -> moves_to (place q) m -> reads board m u ->
  ~~ is_move u && (target u == place q).
Proof.
move=> inq inu stays into rd; move: (into); rewrite moves_toE => /andP[mm /eqP tgt].
have tu : target u = place q by apply: (one_target placed inq inu stays _ rd); rewrite into orbT.
rewrite tu eqxx andbT; move: rd; rewrite /reads mm => /andP[_ /or3P[/andP[] // | /andP[mu /eqP at_] | /hasP[n _]]].
  by move: stays; rewrite -(same_place placed inu inq) ?mu // at_.
by case/supports_move_facts.
Qed.

Definition open_stations : seq unit := [seq u <- units board | open u && ~~ is_move u].

Lemma open_stationP (u : unit) : u \in open_stations = [&& open u, ~~ is_move u & u \in units board].
Proof. by rewrite mem_filter andbA. Qed.

(** What is open at a station waits for an order that is open at another one. *)
Lemma open_station_waits (d : unit) : d \in open_stations -> exists2 e, e \in open_stations & target e = place d.
Proof.
rewrite open_stationP => /and3P[od stays ind].
have [u inu /andP[rd ou]] := open_reads ind od.
have tu : target u = place d by apply: (one_target placed ind inu stays _ rd); rewrite eqxx.
case mu: (is_move u); last by exists u => //; rewrite open_stationP ou mu.
have into : moves_to (place d) u by rewrite moves_toE mu tu eqxx.
have [w inw /andP[rw ow]] := open_reads inu ou.
have /andP[sw /eqP tw] := move_into_reads ind inw stays into rw.
by exists w => //; rewrite open_stationP ow sw.
Qed.

Lemma placed_sub (P : pred unit) : uniq [seq place u | u <- units board & P u].
Proof. by apply: subseq_uniq placed; apply: map_subseq; apply: filter_subseq. Qed.

(** ** Theorem (rings of stations): one arrow leaves each station, and one comes in; so they stand in rings. *)
Lemma station_counting :
  uniq (map target open_stations) /\ map place open_stations =i map target open_stations.
Proof.
have sub : {subset map place open_stations <= map target open_stations}.
  by move=> p /mapP[d ind ->]; have [e ine <-] := open_station_waits ind; apply: map_f.
have small : size (map target open_stations) <= size (map place open_stations) by rewrite !size_map.
split; first exact: leq_size_uniq (placed_sub _) sub small.
by have [] := uniq_min_size (placed_sub _) sub small.
Qed.

Theorem target_is_open_station (e : unit) :
  e \in open_stations -> exists2 d, d \in open_stations & place d = target e.
Proof.
move=> ine; have [_ same] := station_counting.
have: target e \in map place open_stations by rewrite same; apply: map_f.
by case/mapP => d ind ->; exists d.
Qed.

Theorem one_open_order_for_each (e f : unit) :
  e \in open_stations -> f \in open_stations -> target e = target f -> e = f.
Proof.
have [uniq_targets _] := station_counting; move: uniq_targets.
elim: open_stations => //= g gs IH /andP[no uniq_gs].
rewrite !inE => /predU1P[-> | ine] /predU1P[-> | inf] // eq; last exact: IH.
  by move/negP: no; case; rewrite eq; apply: map_f.
by move/negP: no; case; rewrite -eq; apply: map_f.
Qed.

Lemma no_open_order_for_a_mover (e n : unit) :
  e \in open_stations -> n \in units board -> is_move n -> target e = place n -> False.
Proof.
move=> ine inn mn tgt; have [d] := target_is_open_station ine.
rewrite open_stationP tgt => /and3P[_ stays ind] at_.
by move: stays; rewrite (same_place placed ind inn at_) mn.
Qed.

(** ** Moves *)

(** An open move to where nobody moves away waits for an order that is open at a station. *)
Lemma open_move_waits (m : unit) :
  m \in units board -> open m -> is_move m -> {in units board, forall n, place n = target m -> ~~ is_move n} ->
  exists2 e, e \in open_stations & target e = target m.
Proof.
move=> inm om mm nobody; have [w inw /andP[rd ow]] := open_reads inm om.
move: rd; rewrite /reads mm => /andP[_ /or3P[/andP[stays /eqP tgt] | /andP[mw /eqP at_] | /hasP[n opp _]]].
- by exists w => //; rewrite open_stationP ow stays.
- by move: (nobody w inw at_); rewrite mw.
move: opp; rewrite mem_filter => /andP[/and4P[mn nm _ _] inn].
move: mn nm; rewrite !moves_toE => /andP[_ /eqP tgt] /andP[isn _].
by move: (nobody n inn (esym tgt)); rewrite isn.
Qed.

(** ** Theorem 4, first half: an open onward move looks at one order, the move of the unit at its destination. *)
Theorem onward_reads_one (m n u : unit) :
  m \in units board -> is_move m -> n \in units board -> is_move n -> place n = target m ->
  u \in units board -> reads board m u -> open u -> u = n.
Proof.
move=> inm mm inn mn at_ inu rd ou.
move: rd; rewrite /reads mm => /andP[_ /or3P[/andP[stays /eqP tgt] | /andP[mu /eqP atu] | /hasP[o opp so]]].
- have ins : u \in open_stations by rewrite open_stationP ou stays.
  by case: (no_open_order_for_a_mover ins inn mn); rewrite at_.
- by apply: (same_place placed) => //; rewrite atu.
have [_ stays mo tgt] := supports_move_facts so.
have ins : u \in open_stations by rewrite open_stationP ou stays.
case: (no_open_order_for_a_mover ins inm mm); rewrite tgt.
by move: opp; rewrite mem_filter => /andP[/and4P[_ ]]; rewrite moves_toE => /andP[_ /eqP].
Qed.

Lemma onward_waits (m n : unit) :
  m \in units board -> open m -> is_move m -> n \in units board -> is_move n -> place n = target m -> open n.
Proof.
move=> inm om mm inn mn at_; have [u inu /andP[rd ou]] := open_reads inm om.
by rewrite -(onward_reads_one inm mm inn mn at_ inu rd ou).
Qed.

(** ** Theorem 4, second half: it succeeds just if that one does. *)
Theorem onward_equation a (m n : unit) :
  agrees a k -> m \in units board -> open m -> is_move m -> n \in units board -> is_move n -> place n = target m ->
  decision board a m = success a n.
Proof.
move=> ag inm om mm inn mn at_; have on := onward_waits inm om mm inn mn at_.
have hp : helps m n by rewrite /helps mm mn at_ eqxx /= !orbT.
have same f g : agrees f k -> agrees g k -> success f n = success g n -> decision board f m = decision board g m.
  move=> agf agg eq; apply: decision_same => // u inu rd; case ou: (open u).
    by rewrite (onward_reads_one inm mm inn mn at_ inu rd ou).
  by apply: settled_same => //; [case/andP: rd | rewrite ou].
case E: (success a n).
  rewrite -(open_best inm om); apply: same => //; first exact: best_in_box.
  by rewrite E view_helped // hp open_high.
rewrite -(open_worst inm om); apply: same => //; first exact: worst_in_box.
by rewrite E view_helped // hp open_low.
Qed.

(** ** Theorem: whatever is open waits for what is open in the province of its target. *)

Lemma open_placesP p : reflect (exists2 d, d \in units board & open d /\ place d = p) (p \in open_places board k).
Proof.
apply: (iffP mapP) => [[d] | [d ind [od <-]]]; first by rewrite mem_filter => /andP[od ind] ->; exists d.
by exists d => //; rewrite mem_filter od.
Qed.

Lemma aim_place (d : unit) : d \in units board -> aim board (place d) = target d.
Proof. by move=> ind; rewrite /aim unit_in_place. Qed.

Theorem aim_open p : p \in open_places board k -> aim board p \in open_places board k.
Proof.
case/open_placesP => d ind [od <-]; rewrite aim_place //.
have station_there e : e \in open_stations -> target e \in open_places board k.
  move=> /target_is_open_station [q]; rewrite open_stationP => /and3P[oq _ inq] <-.
  by apply/open_placesP; exists q.
case md: (is_move d); last by apply: station_there; rewrite open_stationP od md.
case E: (has (fun n => is_move n && (place n == target d)) (units board)).
  case/hasP: E => n inn /andP[mn /eqP at_]; apply/open_placesP; exists n => //; split=> //.
  exact: onward_waits at_.
have [e ine <-] : exists2 e, e \in open_stations & target e = target d; last exact: station_there.
apply: open_move_waits => // n inn at_; apply/negP => mn.
by move/negP: E; case; apply/hasP; exists n => //; rewrite mn at_ eqxx.
Qed.

End Structure.
