(** * The theorems, each with all that it takes for granted

    docs/papers/theory.md has them in words.  Where nothing else is said, [k] is any knowledge that partial information has nothing
    to add to and that does not contradict itself. *)

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq path.
From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Stations Rings Cores Product Signs Components.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** Theorem 1: one target. *)
Theorem orders_at_a_station_read_their_province (board : situation) (q d u : unit) :
  well_placed board -> q \in units board -> u \in units board ->
  ~~ is_move q -> (d == q) || moves_to (place q) d -> reads board d u ->
  target u = place q.
Proof. by move=> placed; apply: one_target. Qed.

Theorem equations_read_no_more (board : situation) (a b : province -> bool) (d : unit) :
  well_placed board -> d \in units board ->
  {in units board, forall u, reads board d u -> success a u = success b u} ->
  decision board a d = decision board b d.
Proof. by move=> placed; apply: decision_same. Qed.

(** Partial information. *)
Theorem partial_information_is_sound (board : situation) (a : province -> bool) (k : knowledge) :
  well_placed board -> consistent board a -> agrees a k -> agrees a (partial_information board k).
Proof. by move=> placed; apply: partial_information_sound. Qed.

Theorem partial_information_is_monotone (board : situation) (k l : knowledge) :
  well_placed board -> {subset k <= l} -> {subset learnt board k <= learnt board l}.
Proof. by move=> placed; apply: learnt_monotone. Qed.

Theorem partial_information_comes_to_an_end (board : situation) (k : knowledge) :
  well_placed board -> closed board (partial_information board k).
Proof. by move=> placed; apply: partial_information_closed. Qed.

Theorem partial_information_never_contradicts_itself (board : situation) :
  well_placed board -> ~~ contradictory (partial_information board [::]).
Proof. by move=> placed; apply: start_sane. Qed.

(** Theorem 1, continued: what is open at a station is in a ring. *)
Theorem an_arrow_leaves_each_open_station (board : situation) (k : knowledge) (e : unit) :
  well_placed board -> closed board k -> ~~ contradictory k ->
  e \in open_stations board k -> exists2 d, d \in open_stations board k & place d = target e.
Proof. by move=> placed cl sane; apply: target_is_open_station. Qed.

Theorem one_arrow_comes_to_each_open_station (board : situation) (k : knowledge) (e f : unit) :
  well_placed board -> closed board k -> ~~ contradictory k ->
  e \in open_stations board k -> f \in open_stations board k -> target e = target f -> e = f.
Proof. by move=> placed cl sane; apply: one_open_order_for_each. Qed.

(** Theorem 2: what a station passes on. *)
Theorem a_station_passes_on_one_sign
    (board : situation) (k : knowledge) (d e : unit) (a : province -> bool) :
  well_formed board -> closed board k -> ~~ contradictory k ->
  d \in open_stations board k -> e \in open_stations board k -> target e = place d -> agrees a k ->
  {in units board, forall m, moves_to (place d) m -> decision board a m = success a m} ->
  decision board a d = success a e (+) sign_to board k e d.
Proof.
move=> formed cl sane; rewrite open_stationP => /and3P[od stays ind] ine aimed.
exact: station_link.
Qed.

(** Theorem 3: a core is a ring, and has two resolutions or none, by the sign. *)
Theorem every_core_is_a_ring (board : situation) (d : unit) :
  let start := partial_information board [::] in
  well_formed board -> d \in units board -> is_open start d -> in_component board start d ->
  exists2 core, core \in cores board start &
    forall u, leads_to board start d u <-> u \in units board /\ in_ring_of board start core u.
Proof. by move=> start formed; apply: components_are_rings. Qed.

Theorem every_ring_is_a_core (board : situation) (core : province) (d : unit) :
  let start := partial_information board [::] in
  well_formed board -> d \in units board -> in_ring_of board start core d -> in_component board start d.
Proof. by move=> start formed ind ring; have [] := rings_are_components formed ind ring. Qed.

Theorem round_a_ring_each_order_follows_the_one_before
    (board : situation) (a : province -> bool) (p : province) :
  let start := partial_information board [::] in
  well_formed board -> consistent board a -> p \in open_places board start -> in_ring board p ->
  a (aim board p) = a p (+) link_sign board start p.
Proof. by move=> start formed; apply: resolution_links. Qed.

Theorem a_core_has_two_resolutions_or_none (board : situation) (core : province) :
  let start := partial_information board [::] in
  well_formed board -> core \in cores board start ->
  trials board start core = if ring_sign board start core then [::] else [:: true; false].
Proof. by move=> start formed; apply: two_or_none. Qed.

(** Theorem 4: rings of moves. *)
Theorem an_onward_move_follows_one_move
    (board : situation) (k : knowledge) (a : province -> bool) (m n : unit) :
  well_placed board -> closed board k -> ~~ contradictory k -> agrees a k ->
  m \in units board -> is_open k m -> is_move m -> n \in units board -> is_move n -> place n = target m ->
  decision board a m = success a n.
Proof. by move=> placed cl sane; apply: onward_equation. Qed.

Theorem moves_of_a_ring_succeed_or_fail_together (board : situation) (a : province -> bool) (m : unit) :
  well_formed board -> consistent board a -> m \in units board -> is_move m ->
  is_open (partial_information board [::]) m -> in_ring board (place m) ->
  a (target m) = success a m.
Proof. by move=> formed; apply: moves_together. Qed.

(** Theorem 5: cores are by themselves. *)
Theorem whatever_is_open_leads_to_a_core (board : situation) (k : knowledge) (p : province) :
  well_placed board -> closed board k -> ~~ contradictory k ->
  p \in open_places board k -> exists i, iter i (aim board) p \in cores board k.
Proof.
move=> placed cl sane inp; have pos := open_positive inp; have ret := open_returns placed cl sane inp.
have [i eq] := lead_reached pos ret; exists i; rewrite -eq; exact: lead_core.
Qed.

Theorem settled_cores_settle_all (board : situation) (k l : knowledge) :
  well_placed board -> closed board k -> ~~ contradictory k -> closed board l -> ~~ contradictory l ->
  {subset k <= l} -> {in cores board k, forall core, core \notin open_places board l} ->
  open_places board l = [::].
Proof.
move=> placed ck sk cl sl more none; case E: (open_places board l) => [|p ps] //.
have: p \in open_places board l by rewrite E mem_head.
case/open_placesP => u inu [ou _]; have lu : is_open k u by apply: (open_less more).
have inp : place u \in open_places board k by apply/open_placesP; exists u.
have settled := settled_with_core placed ck sk cl sl more inu.
by move: ou; apply: contraTeq => _; apply: settled; apply: none; apply: lead_core.
Qed.

Theorem any_trials_of_the_cores_make_a_resolution (board : situation) (v : province -> bool) :
  let start := partial_information board [::] in
  well_placed board ->
  {in cores board start, forall core, v core \in trials board start core} ->
  exists2 a, consistent board a & {in cores board start, forall core, a core = v core}.
Proof.
move=> start placed tried; exists (combined board v); first exact: combined_consistent.
by move=> core inc; apply: combined_core.
Qed.

Theorem resolutions_multiply (board : situation) :
  let start := partial_information board [::] in
  well_placed board ->
  size (resolutions board) = foldr muln 1 [seq size (trials board start core) | core <- cores board start].
Proof. by move=> start placed; apply: number_of_resolutions. Qed.

Theorem none_or_a_power_of_two (board : situation) :
  let start := partial_information board [::] in
  well_formed board ->
  size (resolutions board) = if has (ring_sign board start) (cores board start) then 0 else 2 ^ size (cores board start).
Proof. by move=> start formed; apply: number_by_signs. Qed.

Theorem exactly_one_just_if_all_is_settled (board : situation) :
  well_formed board ->
  (size (resolutions board) = 1 <-> open_places board (partial_information board [::]) = [::]).
Proof. by move=> formed; apply: one_just_if_settled. Qed.

(** The procedure. *)
Theorem the_procedure_gives_all_resolutions (board : situation) :
  well_placed board -> solve board =i resolutions board.
Proof. by move=> placed; apply: solve_exact. Qed.

Theorem the_procedure_gives_each_once (board : situation) :
  well_placed board -> uniq (solve board).
Proof. by move=> placed; apply: solve_uniq. Qed.

(** What [resolutions] lists are the assignments that the equations leave as they are. *)
Theorem resolutions_are_fixed_points (board : situation) (s : seq province) :
  well_placed board ->
  (s \in resolutions board <-> exists2 a, consistent board a & s = [seq p <- decisions board | a p]).
Proof. by move=> placed; split; move/resolutionsP; apply. Qed.
