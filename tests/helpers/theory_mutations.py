"""Each clause of the formal DATC 5.B (`models/theory/Specification.v`), broken once, and the program that comes of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from helpers import theory

Change = tuple[str, str]
"""A piece of the specification, and what it is changed into."""

SPECIFICATION = "Specification.v"
PROGRAM = """From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt.
From mathcomp Require Import ssrnat seq.
From SatjudgeTheory Require Import Specification.
Definition well_formed (_ : situation) := true.
Definition solve := resolutions.
Definition adjudicate (_ : situation) : seq province * seq province := (nil, nil).
Extract Inlined Constant eqn => "((=) : int -> int -> bool)".
Extraction "theory.ml" well_formed resolutions solve adjudicate.
"""
"""The specification alone as a program: to break it breaks the proofs that the procedure comes with."""

_SUPPORT = "if ordered s is SupportMove from to then (from == place m) && moves_to to m else false"
_HOLD = "if ordered s is SupportHold supported then (supported == place u) && ~~ is_move u else false"
_CONVOY = "if ordered c is Convoy from to then (from == place m) && moves_to to m else false"
_OWN = "has (fun c => convoys_move m c && (owner c == owner m)) (units board)"
_BATTLE = "[&& moves_to (place n) m, moves_to (place m) n, ~~ convoyed m & ~~ convoyed n]"
_ATTACKED = "[|| head_to_head m u, ~~ is_move u | ~~ success u]"
_DEFENCE = "if opposing m is [::] then hold_strength (goes_to m) < attack_strength m"
_MOVE = "[&& path m, beats_defence m & all (fun r => prevent_strength r < attack_strength m) (rivals m)]"
_CUTS = "(success m || [&& owner m != owner s, path m & place m != directed_at s])"

MUTATIONS: dict[str, tuple[Change, ...]] = {
    "a support for whoever goes there": ((_SUPPORT, _SUPPORT.replace("(from == place m) && ", "")),),
    "a support for a move to wherever": ((_SUPPORT, _SUPPORT.replace("moves_to to m", "is_move m")),),
    "a support in place for whoever": ((_HOLD, _HOLD.replace("(supported == place u) && ", "")),),
    "a support in place for who moves": ((_HOLD, _HOLD.replace(" && ~~ is_move u", "")),),
    "a convoy for whoever goes there": ((_CONVOY, _CONVOY.replace("(from == place m) && ", "")),),
    "a convoy to wherever": ((_CONVOY, _CONVOY.replace("moves_to to m", "is_move m")),),
    "a support is directed at where the move comes from": (("| SupportMove _ to => to\n", "| SupportMove from _ => from\n"),),
    "4.A.3: fleets are convoyed": (("is_army m &&\n", "true &&\n"),),
    "4.A.3: who cannot go by land goes by land": (("[|| ~~ by_land board (place m) destination,", "[|| false,"),),
    "4.A.3: via convoy is not heeded": (("        via_convoy |\n", "        false |\n"),),
    "4.A.3: an own fleet is no intent": ((_OWN, "false"),),
    "4.A.3: a foreign fleet is intent": ((_OWN, _OWN.replace("convoys_move m c && (owner c == owner m)", "convoys_move m c")),),
    "PATH over fleets that convoy others": (("| convoys_move m c && success c]", "| success c]"),),
    "PATH over disrupted fleets": (("| convoys_move m c && success c]", "| convoys_move m c]"),),
    "PATH over fleets by themselves": (("by_sea board (place c) (place m) || has", "has"),),
    "PATH from afar": (("  else [seq c <- carriers m | by_sea board (place c) (place m)]", "  else carriers m"),),
    "PATH over one fleet only": (("(reached m (size (carriers m)))", "(reached m 0)"),),
    "PATH over fleets that are not adjacent": ((" || has (fun b => by_sea board (place b) (place c)) before]", " || true]"),),
    "PATH to afar": (("has (fun c => by_sea board (place c) (goes_to m))", "has (fun c => ~~ is_army c)"),),
    "PATH only by convoy": (("~~ convoyed m || chain m.", "chain m."),),
    "PATH falls back to land": (
        ("~~ convoyed m || chain m.", "[|| ~~ convoyed m, by_land board (place m) (goes_to m) | chain m]."),
    ),
    "a battle with whoever comes": ((_BATTLE, _BATTLE.replace("moves_to (place n) m, ", "")),),
    "a battle with whoever is there": ((_BATTLE, _BATTLE.replace("moves_to (place m) n, ", "")),),
    "a battle of a convoyed army": ((_BATTLE, _BATTLE.replace("~~ convoyed m & ", "true & ")),),
    "a battle with a convoyed army": ((_BATTLE, _BATTLE.replace("& ~~ convoyed n", "& true")),),
    "HOLD of an empty province": (("  | None => 0\n  | Some u =>\n    if", "  | None => 1\n  | Some u =>\n    if"),),
    "HOLD of who leaves": (("if success u then 0 else 1", "1"),),
    "HOLD of who fails to leave": (("if success u then 0 else 1", "0"),),
    "HOLD is nothing": (("else 1 + successful_supports (supports_hold u)", "else successful_supports (supports_hold u)"),),
    "HOLD without supports": (("else 1 + successful_supports (supports_hold u)", "else 1"),),
    "PREVENT without PATH": (("  if ~~ path m then 0\n  else if has", "  if has"),),
    "PREVENT by who lost a battle": (("  else if has success (opposing m) then 0\n", ""),),
    "PREVENT is nothing": (
        (
            "then 0\n  else 1 + successful_supports (supports_move m).\n\n(** ** 5.B.7",
            "then 0\n  else successful_supports (supports_move m).\n\n(** ** 5.B.7",
        ),
    ),
    "PREVENT without supports": (
        ("then 0\n  else 1 + successful_supports (supports_move m).\n\n(** ** 5.B.7", "then 0\n  else 1.\n\n(** ** 5.B.7"),
    ),
    "DEFEND is nothing": (
        (
            "(m : unit) : nat :=\n  1 + successful_supports (supports_move m)",
            "(m : unit) : nat :=\n  successful_supports (supports_move m)",
        ),
    ),
    "DEFEND without supports": (
        ("(m : unit) : nat :=\n  1 + successful_supports (supports_move m)", "(m : unit) : nat :=\n  1"),
    ),
    "ATTACK on nobody who stays": ((_ATTACKED, "head_to_head m u || ~~ success u"),),
    "ATTACK on nobody who fails to leave": ((_ATTACKED, "head_to_head m u || ~~ is_move u"),),
    "ATTACK on who leaves": ((_ATTACKED, "true"),),
    "ATTACK on an own unit": (("    if owner m == owner u then 0\n    else", "   "),),
    "ATTACK with the attacked power's supports": (("supports_move m s && (owner s != owner u)", "supports_move m s"),),
    "ATTACK on a unit without supports": (
        ("1 + successful_supports (fun s => supports_move m s && (owner s != owner u))", "1"),
    ),
    "ATTACK on a unit is nothing": (("else 1 + successful_supports (fun s", "else successful_supports (fun s"),),
    "ATTACK without supports": (
        ("  else 1 + successful_supports (supports_move m).\n\n(** ** 5.B.1", "  else 1.\n\n(** ** 5.B.1"),
    ),
    "ATTACK is nothing": (
        (
            "  else 1 + successful_supports (supports_move m).\n\n(** ** 5.B.1",
            "  else successful_supports (supports_move m).\n\n(** ** 5.B.1",
        ),
    ),
    "MOVE and ATTACK without PATH": (
        (_MOVE, _MOVE.replace("[&& path m, beats_defence m & all", "beats_defence m && all").rstrip("]")),
        ("  if ~~ path m then 0\n  else if attacked", "  if attacked"),
    ),
    "MOVE against rivals elsewhere": (("moves_to (goes_to m) r && ~~ same_unit r m", "is_move r && ~~ same_unit r m"),),
    "MOVE against itself": (("moves_to (goes_to m) r && ~~ same_unit r m", "moves_to (goes_to m) r"),),
    "MOVE against HOLD in a battle": ((_DEFENCE, _DEFENCE.replace("opposing m is [::]", "true")),),
    "MOVE with as much as HOLD": ((_DEFENCE, _DEFENCE.replace(" < attack", " <= attack")),),
    "MOVE with as much as DEFEND": (("defend_strength n < attack_strength m", "defend_strength n <= attack_strength m"),),
    "MOVE with as much as PREVENT": (("prevent_strength r < attack_strength m", "prevent_strength r <= attack_strength m"),),
    "MOVE without HOLD and DEFEND": ((_MOVE, _MOVE.replace("beats_defence m & ", "true & ")),),
    "MOVE without rivals": ((_MOVE, "path m && beats_defence m"),),
    "SUPPORT for no order": (("  matched s && ~~ has", "  ~~ has"),),
    "SUPPORT for no move": (("supports_move u s || supports_hold u s", "supports_hold u s"),),
    "SUPPORT for no unit in place": (("supports_move u s || supports_hold u s", "supports_move u s"),),
    "SUPPORT cut by attacks elsewhere": (("  moves_to (place s) m &&\n", "  is_move m &&\n"),),
    "SUPPORT by a dislodged unit": ((_CUTS, _CUTS.replace("success m || ", "")),),
    "SUPPORT cut by dislodgement only": ((_CUTS, "success m"),),
    "SUPPORT cut by its own power": ((_CUTS, _CUTS.replace("[&& owner m != owner s, path m & ", "[&& true, path m & ")),),
    "SUPPORT cut without PATH": ((_CUTS, _CUTS.replace("path m & ", "true & ")),),
    "SUPPORT cut from where it is directed at": ((_CUTS, _CUTS.replace("path m & place m != directed_at s", "true & path m")),),
    "CONVOY by a dislodged fleet": (("~~ has (fun m => moves_to (place c) m && success m) (units board)", "true"),),
    "CONVOY disrupted by any attack": (("moves_to (place c) m && success m)", "moves_to (place c) m)"),),
    "CONVOY disrupted by moves elsewhere": (("moves_to (place c) m && success m)", "is_move m && success m)"),),
    "a support that is decided as a convoy is": (
        ("| SupportMove _ _ => support_decision u", "| SupportMove _ _ => convoy_decision u"),
    ),
    "a resolution need not be consistent": (
        ("  all (fun p => step board succeeds p == succeeds p)", "  all (fun p => step board succeeds p || succeeds p)"),
    ),
}

EQUIVALENT: dict[str, tuple[Change, ...]] = {
    "MOVE without PATH": ((_MOVE, _MOVE.replace("path m, ", "true, ")),),
    "ATTACK without PATH": (("  if ~~ path m then 0\n  else if attacked", "  if attacked"),),
    "ATTACK on nobody in a battle that the other wins": ((_ATTACKED, "~~ is_move u || ~~ success u"),),
}
"""What the text says twice, so that either alone says it. Without PATH a move has no ATTACK STRENGTH, and fails. In a battle
whoever wins has more than the other's DEFEND STRENGTH, and no ATTACK STRENGTH is above that: whom the other attacks is all one.
"""


def mutated(name: str, folder: Path) -> Path:
    """A folder with the theory, one clause of the specification broken."""
    shutil.copytree(theory.THEORY, folder, ignore=shutil.ignore_patterns("build"))
    text = (folder / SPECIFICATION).read_text(encoding="utf-8")
    for old, new in (MUTATIONS | EQUIVALENT)[name]:
        assert text.count(old) == 1, f"the specification has changed: {old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    (folder / SPECIFICATION).write_text(text, encoding="utf-8")
    return folder


def specification_alone(folder: Path) -> Path:
    """The program that enumerates by the specification of a folder, without any proof."""
    (folder / "Extraction.v").write_text(PROGRAM, encoding="utf-8")
    command = ["make", "--silent", "-C", str(folder), "FILES=Specification Extraction"]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return folder / "build" / "theory"
