(** * What the theorems rest on: Rocq says of each "Closed under the global context", that is without any axiom *)

From SatjudgeTheory Require Import Specification Readings Monotone Procedure Partial Structure Stations Cores Product Signs.

Print Assumptions decision_better.
Print Assumptions decision_same.
Print Assumptions one_target.
Print Assumptions partial_information_sound.
Print Assumptions partial_information_extends.
Print Assumptions learnt_monotone.
Print Assumptions partial_information_closed.
Print Assumptions start_sane.
Print Assumptions target_is_open_station.
Print Assumptions one_open_order_for_each.
Print Assumptions onward_reads_one.
Print Assumptions onward_equation.
Print Assumptions aim_open.
Print Assumptions station_link.
Print Assumptions combined_consistent.
Print Assumptions solve_complete.
Print Assumptions solve_exact.
Print Assumptions solve_uniq.
Print Assumptions number_of_resolutions.
Print Assumptions resolution_links.
Print Assumptions moves_together.
Print Assumptions two_or_none.
Print Assumptions number_by_signs.
Print Assumptions one_just_if_settled.
