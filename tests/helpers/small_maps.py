"""Holds small maps as files: an island as TOML, lakes as a `.map` file and as a package of jDip."""

from __future__ import annotations

from pathlib import Path

ISLAND = """\
name = "island"
title = "An island"
powers = ["NORTH", "SOUTH"]

[power.NORTH]
name = "North"
adjective = "Northern"

[power.SOUTH]
name = "South"
adjective = "Southern"

[province.HIL]
name = "Hills"
kind = "coast"
center = true
home = "NORTH"
unit = "A"
army = ["DAL"]
fleet = ["DAL", "BAY"]

[province.DAL]
name = "Dale"
kind = "coast"
center = true
home = "SOUTH"
unit = "F"
army = ["HIL"]
fleet = ["HIL", "BAY"]

[province.BAY]
name = "The Bay"
kind = "sea"
fleet = ["HIL", "DAL"]
"""


def written(folder: Path, text: str, name: str = "island.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


LAKES = """\
# Two powers and a lake
BEGIN  SPRING 1850 MOVEMENT
VICTORY 3
NORTH (NORTHERN:N) HIL FEN
A HIL
F FEN
SOUTH  (SOUTHERN) DAL
F DAL/SC
UNOWNED CAP

Hill = hil
Fens = fen marsh the+fens
Dale (north coast) = dal/nc
Dale (south coast) = dal/sc
Dale = dal marsh
Cape Town = cap
Port Lake = lak
North Ice = ice

LAND  HIL ABUTS FEN DAL CAP~
COAST FEN ABUTS HIL LAK dal
COAST DAL/NC ABUTS LAK
COAST DAL/SC ABUTS CAP ICE
COAST dal ABUTS HIL FEN LAK ICE CAP
PORT  CAP ABUTS hil~ DAL/SC dal ICE
WATER LAK ABUTS FEN DAL/NC
WATER ICE ABUTS DAL/SC CAP
"""


def lakes(folder: Path, old: str = "", new: str = "", name: str = "lakes.map") -> str:
    assert old in LAKES
    path = folder / name
    path.write_text(LAKES.replace(old, new, 1) if old else LAKES + new, encoding="utf-8")
    return str(path)


VARIANTS = """\
<?xml version="1.0"?>
<!DOCTYPE VARIANTS [<!ELEMENT VARIANTS (VARIANT+)>]>
<VARIANTS>
  <MAP_DEFINITION id="drawn" title="Lakes" URI="lakes.svg" thumbURI="x.png"/>
  <VARIANT name="Lakes" version="1.0" aliases="ponds">
    <MAP adjacencyURI="borders.xml"><MAP_GRAPHIC ref="drawn" default="true"/></MAP>
    <RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>
    <POWER name="North" active="true" adjective="Northern" altnames="Boreas"/>
    <POWER name="South" active="true" adjective="Southern"/>
    <STARTINGTIME turn="Spring, 1850, Movement"/>
    <VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="3"/></VICTORYCONDITIONS>
    <SUPPLYCENTER province="hil" homepower="boreas" owner="north"/>
    <SUPPLYCENTER province="dal" homepower="south"/>
    <SUPPLYCENTER province="cap"/>
    <INITIALSTATE province="hil" power="north" unit="army"/>
    <INITIALSTATE province="dal" power="south" unit="fleet" unitcoast="sc"/>
    <INITIALSTATE province="cap" power="south" unit="army"/>
  </VARIANT>
</VARIANTS>
"""
BORDERS = """\
<?xml version="1.0"?>
<PROVINCES>
  <BORDER_DEFINITIONS>
    <BORDER id="ice" description="ice" season="fall"/>
    <BORDER id="steep" description="" from="cap" baseMoveModifier="-1"/>
  </BORDER_DEFINITIONS>
  <PROVINCE shortname="hil" fullname="Hill" borders="steep"><UNIQUENAME name="peak"/>
    <ADJACENCY type="mv" refs="dal cap wal"/></PROVINCE>
  <PROVINCE shortname="dal" fullname="Dale"><ADJACENCY type="mv" refs="hil cap"/>
    <ADJACENCY type="nc" refs="lak"/><ADJACENCY type="sc" refs="cap ice"/></PROVINCE>
  <PROVINCE shortname="cap" fullname="Cape" isConvoyableCoast="true">
    <ADJACENCY type="mv" refs="hil"/><ADJACENCY type="mv" refs="dal"/><ADJACENCY type="xc" refs="dal-sc ice"/></PROVINCE>
  <PROVINCE shortname="lak" fullname="Lake"><ADJACENCY type="xc" refs="dal/nc"/></PROVINCE>
  <PROVINCE shortname="ice" fullname="Icy Sea" borders="ice"><ADJACENCY type="xc" refs="dal-sc cap"/></PROVINCE>
  <PROVINCE shortname="wal" fullname="The Wall"><ADJACENCY type="mv" refs="wal"/></PROVINCE>
</PROVINCES>
"""
PICTURE = """\
<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.0//EN" "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd"
[ <!ENTITY % svgExt "| jdipNS:PROVINCE_DATA" > ]>
<svg viewBox="-5 0 200 100" xmlns="http://www.w3.org/2000/svg" xmlns:jdipNS="http://jdip.sourceforge.org/jdipNS">
  <jdipNS:PROVINCE_DATA>
    <jdipNS:PROVINCE name="hil"><jdipNS:UNIT x="10" y="20.5 "/><jdipNS:DISLODGED_UNIT x="12" y="22"/>
      <jdipNS:SUPPLY_CENTER x="8" y="20"/></jdipNS:PROVINCE>
    <jdipNS:PROVINCE name="dal-sc"><jdipNS:UNIT x="40" y="50"/><jdipNS:DISLODGED_UNIT x="42" y="52"/></jdipNS:PROVINCE>
    <jdipNS:PROVINCE name="atlantis"><jdipNS:UNIT x="1" y="1"/></jdipNS:PROVINCE>
  </jdipNS:PROVINCE_DATA>
  <g id="BriefLabelLayer"><text x="9" y="30">hil</text><text transform="translate(50,60), rotate(-8)" x="0" y="0">dal</text></g>
</svg>
"""
PACKAGE = {"variants.xml": VARIANTS, "borders.xml": BORDERS, "lakes.svg": PICTURE}


def packed(folder: Path, **changes: tuple[str, str]) -> Path:
    """A package as a folder; `changes` are made in a file of it, by its name without ending."""
    folder.mkdir(exist_ok=True)
    for name, text in PACKAGE.items():
        old, new = changes.get(name.partition(".")[0], ("", ""))
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
    return folder
