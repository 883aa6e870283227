(** * The specification and the procedure as a program; driver.ml reads problems for it

    Numbers become OCaml's; so does the question whether two of them are equal, for speed. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt.
From mathcomp Require Import ssrnat.
From SatjudgeTheory Require Import Specification Procedure Stations Adjudication.

Extraction Language OCaml.
Extract Inlined Constant eqn => "((=) : int -> int -> bool)".
Extraction "theory.ml" well_formed resolutions solve adjudicate.
