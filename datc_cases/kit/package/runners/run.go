// Asks an engine the questions of the kit and prints its score. Go 1.18 or later, nothing else.
//
// go run runners/run.go [--answers FILE]... [--part NAME]... ENGINE [ARGUMENT]...    (in the folder of the kit)
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"sort"
)

type object = map[string]any

type answer struct {
	ID         string
	Topic      string
	Units      map[string][]string
	Dislodged  map[string]map[string][]string
	Results    map[string][]string
	Unresolved bool
	Skip       any
	Error      any
}

type part struct {
	Usual    bool
	Compared []string
}

func lines[T any](name string) (found []T) {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	for _, line := range bytes.Split(data, []byte("\n")) {
		var value T
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &value); err != nil {
			panic(err)
		}
		found = append(found, value)
	}
	return found
}

// Neither the order of units nor powers without units matter: lists are sorted, and what is empty is left out.
func sorted(list []string) string {
	list = append([]string{}, list...)
	sort.Strings(list)
	return fmt.Sprintf("%q", list)
}

func plain(units map[string][]string, lost map[string]map[string][]string) string {
	told := map[string]string{}
	for power, of := range units {
		if len(of) > 0 {
			told[power] = sorted(of)
		}
	}
	for power, of := range lost {
		for unit, places := range of {
			told[power+": "+unit] = sorted(places)
		}
	}
	return fmt.Sprint(told) // maps are printed in the order of their keys
}

func same(expected, said answer, keys []string) bool {
	if said.Error != nil || said.Units == nil || plain(said.Units, nil) != plain(expected.Units, nil) {
		return false
	}
	if len(keys) == 1 {
		return true
	}
	if said.Dislodged != nil && plain(nil, said.Dislodged) != plain(nil, expected.Dislodged) {
		return false
	}
	for power, words := range expected.Results {
		for number, word := range words {
			if len(said.Results) == 0 {
				break
			}
			theirs := said.Results[power]
			if len(theirs) != len(words) || (theirs[number] != "" && theirs[number] != word) {
				return false
			}
		}
	}
	return true
}

func main() {
	given, words := map[string][]string{"--answers": {}, "--part": {}}, os.Args[1:]
	for len(words) > 1 && (words[0] == "--answers" || words[0] == "--part") {
		given[words[0]] = append(given[words[0]], words[1])
		words = words[2:]
	}
	if len(given["--answers"]) == 0 {
		given["--answers"] = []string{"answers/datc-3.jsonl"}
	}
	data, _ := os.ReadFile("kit.json")
	var kit struct{ Parts map[string]part }
	if err := json.Unmarshal(data, &kit); err != nil {
		panic(err)
	}
	var questions []object
	names := given["--part"]
	for name, one := range kit.Parts {
		if one.Usual && len(given["--part"]) == 0 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		questions = append(questions, lines[object]("questions/"+name+".jsonl")...)
	}
	answers := map[string]answer{}
	for _, name := range given["--answers"] { // a later file has the last word
		for _, one := range lines[answer](name) {
			answers[one.ID] = one
		}
	}
	var asked bytes.Buffer
	for _, question := range questions {
		line := object{}
		for _, key := range []string{"id", "map", "season", "phase", "units", "dislodged", "centers", "orders"} {
			if value, found := question[key]; found {
				line[key] = value
			}
		}
		text, _ := json.Marshal(line)
		asked.Write(append(text, '\n'))
	}
	engine := exec.Command(words[0], words[1:]...)
	engine.Stdin, engine.Stderr = &asked, os.Stderr
	output, _ := engine.StdoutPipe()
	if err := engine.Start(); err != nil {
		panic(err)
	}
	reader := bufio.NewReader(output)
	right, compared, wrong := map[string]int{}, map[string]int{}, []string{}
	for _, question := range questions {
		said := answer{Error: "no answer"}
		if line, err := reader.ReadBytes('\n'); err == nil {
			said = answer{}
			if err := json.Unmarshal(line, &said); err != nil {
				said.Error = err.Error()
			}
		}
		id, topic := question["id"].(string), question["topic"].(string)
		expected := answers[id]
		if (said.Skip != nil && said.Skip != false) || expected.Unresolved {
			continue
		}
		if expected.Topic != "" {
			topic = expected.Topic
		}
		compared[topic]++
		if same(expected, said, kit.Parts[question["part"].(string)].Compared) {
			right[topic]++
		} else {
			wrong = append(wrong, id)
		}
	}
	score, topics := 0.0, []string{}
	for topic := range compared {
		topics = append(topics, topic)
	}
	sort.Strings(topics) // maps are read in no order
	for _, topic := range topics {
		fmt.Printf("%-24s%6d of %6d\n", topic, right[topic], compared[topic])
		score += float64(right[topic]) / float64(compared[topic]) / float64(len(compared))
	}
	for _, name := range wrong {
		fmt.Println("wrong:", name)
	}
	fmt.Printf("score: %g%%\n", math.Floor(score*1000+1e-9)/10)
	if len(wrong) > 0 || len(compared) == 0 {
		os.Exit(1)
	}
}
