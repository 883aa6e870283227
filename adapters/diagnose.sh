#!/usr/bin/env bash
# Asks the kit of each engine that is there, and writes what satjudge finds: adapters/diagnose.sh [OUT]
#
# An engine is there if its variable names a program; adapters/README.md says which program that is.
#   PYDIP            a Python that has pydip
#   DIPLOMACY        a Python that has the package diplomacy
#   DIPLICITY_REACT  a checkout of diplicity-react (asked by the Python of DIPLICITY_PYTHON)
#   GODIP            adapters/godip, compiled
#   DIPLOMACY_RS     adapters/diplomacy-rs, compiled
#   JDIP             a command that runs adapters/jdip
#   DIPCC            adapters/dipcc, compiled
#   HTTP             an address
# SATJUDGE is the command that asks (default: satjudge), CROSSCHECK a number of random boards to compare as well (default: 0).
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-diagnosed}
satjudge=${SATJUDGE:-satjudge}
mkdir -p "$out"

ask() { # NAME DIALECT RULES COMMAND
  echo "== $1" >&2
  local engine=(--against "$4" --dialect "$2" --rules "$3" --limit startup=60)
  "$satjudge" conformance "${engine[@]}" --diagnosis-time 900 --json >"$out/$1.json" 2>"$out/$1.log"
  echo "exit status $?" >>"$out/$1.log"
  if [ "${CROSSCHECK:-0}" != 0 ]; then
    "$satjudge" crosscheck "${engine[@]}" --fuzz "$CROSSCHECK" --phase movement,retreat,adjustment \
      --limit shrink=25 --jobs 1 --json >"$out/$1.crosscheck.json" 2>>"$out/$1.log"
    echo "exit status $?" >>"$out/$1.log"
  fi
}

python=${DIPLICITY_PYTHON:-python3}
[ -n "${PYDIP:-}" ] && ask pydip satjudge datc-3 "$PYDIP $here/pydip/pydip_lines.py"
[ -n "${DIPLOMACY:-}" ] && ask diplomacy diplomacy datc-3 "$DIPLOMACY $here/diplomacy/diplomacy_lines.py"
[ -n "${DIPLICITY_REACT:-}" ] &&
  ask diplicity-react godip datc-3 "$python $here/diplicity-react/diplicity_lines.py $DIPLICITY_REACT/service"
[ -n "${GODIP:-}" ] && ask godip godip datc-3 "$GODIP"
[ -n "${DIPLOMACY_RS:-}" ] && ask diplomacy-rs "$here/diplomacy-rs/dialect.toml" 2023 "$DIPLOMACY_RS 2023"
[ -n "${JDIP:-}" ] && ask jdip jdip datc-3 "$JDIP"
[ -n "${DIPCC:-}" ] && ask dipcc satjudge datc-3 "$DIPCC"
[ -n "${HTTP:-}" ] && ask http satjudge datc-3 "python3 $here/http/http_lines.py $HTTP"
python3 "$here/shared/told.py" "$out"
