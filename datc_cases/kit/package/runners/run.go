// Asks an engine the questions of the kit and prints its score. Go 1.18 or later, nothing else.
//
// go run runners/run.go [--answers FILE]... [--part NAME]... [--show] ENGINE [ARGUMENT]...
//
// The kit is the folder in which this is run, or the one that the environment variable KIT names.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

type object = map[string]any

var asked = []string{"id", "map", "season", "phase", "units", "dislodged", "centers", "orders"}

func some(told object, keys ...string) string {
	kept := object{}
	for _, key := range keys {
		if value, found := told[key]; found {
			kept[key] = value
		}
	}
	text, _ := json.Marshal(kept)
	return string(text)
}

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

func stop(message string, more ...any) {
	fmt.Fprintf(os.Stderr, message+"\n", more...)
	os.Exit(2)
}

func read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(os.Getenv("KIT"), name))
	if err != nil {
		stop("the kit has no %s (its folder is %q; the environment variable KIT names another)", name, filepath.Join(os.Getenv("KIT"), "."))
	}
	return data
}

func lines[T any](name string) (found []T) {
	for _, line := range bytes.Split(read(name), []byte("\n")) {
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
	show := false
	for len(words) > 0 && strings.HasPrefix(words[0], "--") {
		if words[0] == "--show" {
			show, words = true, words[1:]
		} else if _, known := given[words[0]]; known && len(words) > 1 {
			given[words[0]] = append(given[words[0]], words[1])
			words = words[2:]
		} else {
			stop("there is no option %s: --answers FILE, --part NAME, --show", words[0])
		}
	}
	if len(words) == 0 {
		stop("no engine is named")
	}
	if len(given["--answers"]) == 0 {
		given["--answers"] = []string{"answers/datc-3.jsonl"}
	}
	var kit struct{ Parts map[string]part }
	if err := json.Unmarshal(read("kit.json"), &kit); err != nil {
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
	answers, whole := map[string]answer{}, map[string]object{}
	for _, name := range given["--answers"] { // a later file has the last word
		written := lines[object](name)
		for number, one := range lines[answer](name) {
			answers[one.ID], whole[one.ID] = one, written[number]
		}
	}
	var input bytes.Buffer
	for _, question := range questions {
		input.WriteString(some(question, asked...) + "\n")
	}
	engine := exec.Command(words[0], words[1:]...)
	engine.Stdin, engine.Stderr = &input, os.Stderr
	output, _ := engine.StdoutPipe()
	if err := engine.Start(); err != nil {
		stop("the engine cannot be run: %v", err)
	}
	reader, heard := bufio.NewReader(output), 0
	right, compared, wrong := map[string]int{}, map[string]int{}, []string{}
	counts := map[string]int{}
	for _, question := range questions {
		id, topic := question["id"].(string), question["topic"].(string)
		said, expected := answer{Error: "no answer"}, answers[id]
		line, err := reader.ReadBytes('\n')
		if err == nil {
			heard, said = heard+1, answer{}
			if err := json.Unmarshal(line, &said); err != nil {
				said = answer{Error: err.Error()}
			}
		}
		if said.ID != "" && said.ID != id {
			stop("%s was answered where %s was asked", said.ID, id)
		}
		if said.Skip != nil && said.Skip != false && said.Skip != "" {
			counts["skipped"]++
			continue
		} else if expected.Unresolved {
			counts["without an answer in this profile"]++
			continue
		}
		if expected.Topic != "" {
			topic = expected.Topic
		}
		compared[topic]++
		if same(expected, said, kit.Parts[question["part"].(string)].Compared) {
			right[topic]++
		} else if err == nil {
			told := "wrong: " + id
			if show {
				told += "\n  asked    " + some(question, asked...) + "\n  expected " + some(whole[id], "results", "dislodged", "units")
				told += "\n  answered " + strings.TrimSpace(string(line))
			}
			wrong = append(wrong, told)
		}
	}
	score, topics := 0.0, keysOf(compared)
	for _, topic := range topics {
		fmt.Printf("%-24s%6d of %6d\n", topic, right[topic], compared[topic])
		score += float64(right[topic]) / float64(compared[topic]) / float64(len(compared))
	}
	for _, told := range wrong {
		fmt.Println(told)
	}
	for _, what := range keysOf(counts) {
		fmt.Printf("%s: %d\n", what, counts[what])
	}
	fmt.Printf("score: %g%%\n", math.Floor(score*1000+1e-9)/10)
	if heard < len(questions) {
		engine.Wait()
		stop("the engine ended after %d of %d answers, with exit status %d", heard, len(questions), engine.ProcessState.ExitCode())
	}
	if len(wrong) > 0 || len(compared) == 0 {
		os.Exit(1)
	}
}

// keysOf lists the keys of a map by their names, since maps are read in no order.
func keysOf(counted map[string]int) (keys []string) {
	for key := range counted {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
