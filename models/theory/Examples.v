(** * The specification at work: two paradoxes of DATC 3.2, chapter 6 *)

From mathcomp Require Import ssreflect ssrbool eqtype ssrnat seq.
From SatjudgeTheory Require Import Specification.

(** Provinces and powers are numbers. *)
Definition London := 0. Definition Wales := 1. Definition Brest := 2. Definition EnglishChannel := 3.
Definition NorthSea := 4. Definition Belgium := 5.
Definition England := 0. Definition France := 1. Definition Germany := 2.

Definition coast_of_the_channel : rel province :=
  fun sea coast => (sea == EnglishChannel) && (coast \in [:: Brest; London; Wales; Belgium]).

(** 6.F.14, the simple paradox: "A Brest - London" is convoyed by the fleet that London helps to attack. *)
Definition simple_paradox := Situation
  [:: Unit London England false (SupportMove Wales EnglishChannel);
      Unit Wales England false (Move EnglishChannel false);
      Unit Brest France true (Move London false);
      Unit EnglishChannel France false (Convoy Brest London)]
  (fun _ _ => false) coast_of_the_channel.

(** Two resolutions: the attack on the fleet succeeds with its support, or the convoy cuts that support. *)
Example simple_paradox_has_two :
  resolutions simple_paradox = [:: [:: London; Wales]; [:: EnglishChannel]].
Proof. by vm_compute. Qed.

(** 6.F.18, the betrayal paradox: the convoy is needed for the support that saves it to be cut. None is consistent. *)
Definition betrayal_paradox := Situation
  [:: Unit NorthSea England false (Convoy London Belgium);
      Unit London England true (Move Belgium false);
      Unit EnglishChannel England false (SupportMove London Belgium);
      Unit Belgium France false (SupportHold NorthSea);
      Unit 6 Germany false (SupportMove 7 NorthSea);
      Unit 7 Germany false (Move NorthSea false)]
  (fun _ _ => false) (fun sea coast => (sea == NorthSea) && (coast \in [:: London; Belgium])).

Example betrayal_paradox_has_none : resolutions betrayal_paradox = [::].
Proof. by vm_compute. Qed.
