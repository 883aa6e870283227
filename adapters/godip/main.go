// godip, asked by batch lines in all phases. It writes as satjudge's dialect `godip` does:
//
//	satjudge conformance --dialect godip --against ./godip-lines
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/zond/godip"
	"github.com/zond/godip/orders"
	"github.com/zond/godip/state"
	"github.com/zond/godip/variants/classical"
)

const year = 1901

// places are texts by power, as `units` and `orders` of a batch line.
type places map[godip.Nation][]string

type request struct {
	Id        json.RawMessage                      `json:"id"`
	Phase     string                               `json:"phase"`
	Map       string                               `json:"map"`
	Units     places                               `json:"units"`
	Orders    places                               `json:"orders"`
	Dislodged map[godip.Nation]map[string][]string `json:"dislodged"`
	Centers   places                               `json:"centers"`
}

type answer struct {
	Id        json.RawMessage                      `json:"id"`
	Results   places                               `json:"results,omitempty"`
	Dislodged map[godip.Nation]map[string][]string `json:"dislodged,omitempty"`
	Units     *places                              `json:"units,omitempty"`
	Skip      string                               `json:"skip,omitempty"`
	Error     string                               `json:"error,omitempty"`
}

// skip is what an answer says of a position that godip does not judge, or cannot be told.
type skip string

// An order, taken apart. The word is one of H, -, S, C, R, D, B and WAIVE.
type order struct {
	nation             godip.Nation
	word               string
	kind               string
	source             godip.Province
	otherKind          string
	other, destination godip.Province
	via                bool
}

var (
	kinds = map[string]godip.UnitType{"A": godip.Army, "F": godip.Fleet}
	texts = regexp.MustCompile(`^(?:([AF]) )?([a-z]{3}(?:/[a-z]c)?) ` +
		`(?:([HDB])|R ([a-z/]+)|- ([a-z/]+)|([SC]) (?:[A-Z][a-z]+ )?(?:([AF]) )?([a-z]{3}(?:/[a-z]c)?)(?: - ([a-z/]+))?)$`)
)

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		told, _ := json.Marshal(answered(line))
		fmt.Println(string(told))
	}
}

// answered is what godip says of a line. What it panics with is an error.
func answered(line []byte) (told answer) {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case skip:
			told = answer{Skip: string(problem)}
		default:
			told = answer{Error: fmt.Sprint(problem)}
		}
		told.Id = asked.Id
	}()
	if asked.Map != "" && asked.Map != "standard" {
		panic(skip("only the standard map"))
	}
	switch asked.Phase {
	case "", "movement":
		return movement(asked)
	case "retreat":
		return retreat(asked)
	case "adjustment":
		return adjustment(asked)
	}
	panic(skip("no " + asked.Phase + " phases"))
}

func movement(asked request) answer {
	units := unitsOf(asked.Units)
	board := placed(godip.Spring, godip.Movement, units)
	given := read(asked.Orders)
	for _, one := range given {
		if unit, place, found := board.Unit(one.source); found && unit.Nation == one.nation {
			one.checkKinds(board)
			set(board, place, one.movement())
		}
	}
	check(board.Next())
	lost := map[godip.Nation]map[string][]string{}
	for place, unit := range board.Dislodgeds() {
		add(lost, unit.Nation, written(unit, place), retreats(board, unit.Nation, place))
	}
	for place := range board.ForceDisbands() {
		add(lost, units[place].Nation, written(units[place], place), []string{})
	}
	results := results(asked.Orders, func(one order) string {
		if unit, found := at(units, one.source); !found || unit.Nation != one.nation {
			return ""
		}
		word := word(board, one.source)
		if one.word == "C" && word == "OK" {
			word = "" // it says that the fleet was not dislodged, and nothing of the army
		}
		for text := range lost[one.nation] {
			if godip.Province(text[2:]).Super() == one.source.Super() {
				word = strings.Trim(word+", dislodged", ", ")
			}
		}
		return word
	})
	return answer{Results: results, Dislodged: lost, Units: byNation(board.Units())}
}

// retreat tells godip of attackers and stand-offs, as it takes those, and not the places to which units may go.
func retreat(asked request) answer {
	board := placed(godip.Spring, godip.Retreat, unitsOf(asked.Units))
	for nation, lost := range asked.Dislodged {
		for text := range lost {
			check(board.SetDislodged(godip.Province(text[2:]), godip.Unit{Type: kinds[text[:1]], Nation: nation}))
		}
	}
	bar(board, asked.Dislodged)
	given := read(asked.Orders)
	for _, one := range given {
		if unit, place, found := board.Dislodged(one.source); found && unit.Nation == one.nation {
			if one.kind != "" && kinds[one.kind] != unit.Type {
				panic(skip("godip is not told the kind of a unit"))
			}
			switch one.word {
			case "R":
				if one.via {
					panic(skip("godip has no retreats by convoy"))
				}
				set(board, place, orders.Move(place, one.destination))
			case "D":
				set(board, place, orders.Disband(place, time.Now()))
			}
		}
	}
	check(board.Next())
	results := results(asked.Orders, func(one order) string {
		for text := range asked.Dislodged[one.nation] {
			if (one.word == "R" || one.word == "D") && godip.Province(text[2:]).Super() == one.source.Super() {
				return word(board, one.source)
			}
		}
		return ""
	})
	return answer{Results: results, Units: byNation(board.Units())}
}

func adjustment(asked request) answer {
	board := placed(godip.Fall, godip.Adjustment, unitsOf(asked.Units))
	for nation, centers := range asked.Centers {
		for _, center := range centers {
			board.SetSC(godip.Province(center), nation)
		}
	}
	accepted := map[godip.Province]order{}
	for number, one := range read(asked.Orders) {
		at := time.Unix(int64(number), 0) // godip takes the orders that were given first
		unit, place, found := board.Unit(one.source)
		owner, _, owned := board.SupplyCenter(one.source)
		switch {
		case one.word == "B" && one.kind == "":
			panic(skip("godip needs the kind of a unit"))
		case one.word == "B" && owned && owner == one.nation:
			set(board, one.source, orders.Build(one.source, kinds[one.kind], at))
			accepted[one.source] = one
		case one.word == "D" && found && unit.Nation == one.nation:
			set(board, place, orders.Disband(place, at))
			accepted[one.source] = one
		}
	}
	check(board.Next())
	results := results(asked.Orders, func(one order) string {
		if accepted[one.source] != one {
			return ""
		}
		return word(board, one.source)
	})
	return answer{Results: results, Units: byNation(board.Units())}
}

// read has the orders in the order in which they are listed, power by power.
func read(given places) (found []order) {
	nations := []string{}
	for nation := range given {
		nations = append(nations, string(nation))
	}
	sort.Strings(nations)
	for _, nation := range nations {
		for _, text := range given[godip.Nation(nation)] {
			found = append(found, taken(godip.Nation(nation), text))
		}
	}
	return
}

func taken(nation godip.Nation, text string) order {
	if text == "WAIVE" {
		return order{nation: nation, word: text}
	}
	plain := strings.TrimSuffix(text, " via")
	parts := texts.FindStringSubmatch(plain)
	if parts == nil {
		panic(skip("the adapter does not know such an order: " + text))
	}
	one := order{nation: nation, kind: parts[1], source: godip.Province(parts[2]), via: plain != text}
	switch {
	case parts[3] != "":
		one.word = parts[3]
	case parts[4] != "":
		one.word, one.destination = "R", godip.Province(parts[4])
	case parts[5] != "":
		one.word, one.destination = "-", godip.Province(parts[5])
	default:
		one.word, one.otherKind = parts[6], parts[7]
		one.other, one.destination = godip.Province(parts[8]), godip.Province(parts[9])
	}
	return one
}

// movement is godip's order; one of another phase is none.
func (one order) movement() godip.Adjudicator {
	switch one.word {
	case "H":
		return orders.Hold(one.source)
	case "-":
		if one.via {
			return orders.Move(one.source, one.destination).ViaConvoy()
		}
		return orders.Move(one.source, one.destination)
	case "S":
		if one.destination == "" {
			return orders.SupportHold(one.source, one.other)
		}
		return orders.SupportMove(one.source, one.other, one.destination)
	case "C":
		return orders.Convoy(one.source, one.other, one.destination)
	}
	panic(skip("the adapter does not know such an order in a movement phase"))
}

func (one order) checkKinds(board *state.State) {
	for place, kind := range map[godip.Province]string{one.source: one.kind, one.other: one.otherKind} {
		if unit, _, found := board.Unit(place); found && kind != "" && unit.Type != kinds[kind] {
			panic(skip("godip is not told the kind of a unit"))
		}
	}
}

// bar tells where units may not retreat to: a place that is open to none as a stand-off, another as whence its attacker came.
func bar(board *state.State, dislodged map[godip.Nation]map[string][]string) {
	open := map[godip.Province]bool{}
	for _, lost := range dislodged {
		for _, to := range lost {
			for _, place := range to {
				open[godip.Province(place).Super()] = true
			}
		}
	}
	attackers := map[godip.Province]bool{}
	for _, lost := range dislodged {
		for text, to := range lost {
			mine := map[godip.Province]bool{}
			for _, place := range to {
				mine[godip.Province(place).Super()] = true
			}
			for _, place := range reached(board, godip.Province(text[2:])) {
				switch {
				case mine[place]:
				case !open[place]:
					board.AddBounce("", place)
				case attackers[place]:
					panic(skip("godip derives the places to which units may go, and would find others"))
				default:
					attackers[place] = true
					board.SetDislodger(place, godip.Province(text[2:]))
				}
			}
		}
	}
}

// reached has the provinces next to a dislodged unit that are empty.
func reached(board *state.State, from godip.Province) (found []godip.Province) {
	seen := map[godip.Province]bool{}
	for _, place := range orders.PossibleMoves(board, from, false, true) {
		if _, _, taken := board.Unit(place); !taken && !seen[place.Super()] {
			seen[place.Super()] = true
			found = append(found, place.Super())
		}
	}
	return
}

func retreats(board *state.State, nation godip.Nation, place godip.Province) []string {
	found := []string{}
	for _, destinations := range orders.MoveOrder.Options(board, nation, place.Super()) {
		for destination := range destinations {
			found = append(found, string(destination.(godip.Province)))
		}
	}
	sort.Strings(found)
	return found
}

func unitsOf(texts places) map[godip.Province]godip.Unit {
	units := map[godip.Province]godip.Unit{}
	for nation, listed := range texts {
		for _, text := range listed {
			units[godip.Province(text[2:])] = godip.Unit{Type: kinds[text[:1]], Nation: nation}
		}
	}
	return units
}

func placed(season godip.Season, phase godip.PhaseType, units map[godip.Province]godip.Unit) *state.State {
	board := classical.Blank(classical.NewPhase(year, season, phase))
	check(board.SetUnits(units))
	return board
}

func at(units map[godip.Province]godip.Unit, place godip.Province) (godip.Unit, bool) {
	for where, unit := range units {
		if where.Super() == place.Super() {
			return unit, true
		}
	}
	return godip.Unit{}, false
}

func set(board *state.State, place godip.Province, one godip.Adjudicator) {
	if board.SetOrder(place, one) != nil {
		panic(skip("godip takes one order for each place"))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// word is what godip says of the order for a place, without whom it names: of several it is now one, now another.
func word(board *state.State, place godip.Province) string {
	for where, err := range board.Resolutions() {
		if where.Super() == place.Super() {
			if err == nil {
				return "OK"
			}
			return strings.SplitN(err.Error(), ":", 2)[0]
		}
	}
	return ""
}

func results(given places, say func(order) string) places {
	told := places{}
	for nation, texts := range given {
		told[nation] = []string{}
		for _, text := range texts {
			told[nation] = append(told[nation], say(taken(nation, text)))
		}
	}
	return told
}

func byNation(units map[godip.Province]godip.Unit) *places {
	told := places{}
	for place, unit := range units {
		told[unit.Nation] = append(told[unit.Nation], written(unit, place))
	}
	for _, texts := range told {
		sort.Strings(texts)
	}
	return &told
}

func written(unit godip.Unit, place godip.Province) string {
	return string(unit.Type[:1]) + " " + string(place)
}

func add(lost map[godip.Nation]map[string][]string, nation godip.Nation, unit string, retreats []string) {
	if lost[nation] == nil {
		lost[nation] = map[string][]string{}
	}
	lost[nation][unit] = retreats
}
