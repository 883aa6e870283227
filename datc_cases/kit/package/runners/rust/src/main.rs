//! Asks an engine the questions of the kit and prints its score. Rust 1.65 or later, and the crate serde_json.
//!
//! cargo run --manifest-path runners/rust/Cargo.toml -- [--answers FILE]... [--part NAME]... [--show] ENGINE [ARGUMENT]...
//!
//! The kit is the folder in which this is run, or the one that the environment variable KIT names.
use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::process::{exit, Command, Stdio};

const ASKED: [&str; 8] = ["id", "map", "season", "phase", "units", "dislodged", "centers", "orders"];

fn stop(message: String) -> ! {
    eprintln!("{message}");
    exit(2)
}

fn read(name: &str) -> String {
    let kit = std::env::var("KIT").unwrap_or(".".into());
    let named = || format!("the kit has no {name} (its folder is {kit}; the environment variable KIT names another)");
    std::fs::read_to_string(std::path::Path::new(&kit).join(name)).unwrap_or_else(|_| stop(named()))
}

fn some(told: &Value, keys: &[&str]) -> Value {
    keys.iter().filter(|key| told.get(**key).is_some()).map(|key| (key.to_string(), told[*key].clone())).collect::<Map<_, _>>().into()
}

fn lines(name: &str) -> Vec<Value> {
    let text = read(name);
    text.lines().map(|line| serde_json::from_str(line).expect(name)).collect()
}

/// Lists become sets, and powers without units are left out: the order of units does not matter.
fn plain(told: &Value) -> BTreeSet<String> {
    let powers = told.as_object().cloned().unwrap_or_default();
    let list = |of: &Value| -> BTreeSet<String> {
        of.as_array().into_iter().flatten().map(Value::to_string).collect()
    };
    powers.iter().flat_map(|(power, of)| match of {
        Value::Object(units) => units.iter().map(|(unit, to)| format!("{power} {unit} {:?}", list(to))).collect(),
        _ => list(of).into_iter().map(|unit| format!("{power} {unit}")).collect::<Vec<_>>(),
    }).collect()
}

fn same(expected: &Value, answer: &Value, keys: &[Value]) -> bool {
    if answer.get("error").is_some() || answer.get("units").is_none() {
        return false;
    }
    for key in ["units", "dislodged"] {
        let compared = keys.contains(&json!(key)) && answer.get(key).is_some();
        if compared && plain(&answer[key]) != plain(&expected[key]) {
            return false;
        }
    }
    let told = answer["results"].as_object().map_or(false, |powers| !powers.is_empty());
    let nothing = Map::new();
    !told || !keys.contains(&json!("results"))
        || expected["results"].as_object().unwrap_or(&nothing).iter().all(|(power, words)| {
            let (words, theirs) = (words.as_array().unwrap(), answer["results"][power].as_array());
            theirs.map_or(words.is_empty(), |theirs| {
                theirs.len() == words.len() && words.iter().zip(theirs).all(|(ours, said)| said == "" || said == ours)
            })
        })
}

fn main() {
    let mut given: HashMap<String, Vec<String>> = [("--answers", vec![]), ("--part", vec![])].map(|(k, v)| (k.into(), v)).into();
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut show = false;
    while words.first().map_or(false, |word| word.starts_with("--")) {
        let name = words.remove(0);
        match given.get_mut(&name) {
            _ if name == "--show" => show = true,
            Some(values) if !words.is_empty() => values.push(words.remove(0)),
            _ => stop(format!("there is no option {name}: --answers FILE, --part NAME, --show")),
        }
    }
    if words.is_empty() {
        stop("no engine is named".into());
    }
    let kit = &document("kit.json")["parts"];
    let all = kit.as_object().unwrap().iter().filter(|(_, part)| part["usual"] == true).map(|(name, _)| name.clone());
    let chosen: Vec<String> = if given["--part"].is_empty() { all.collect() } else { given["--part"].clone() };
    let files = if given["--answers"].is_empty() { vec!["answers/datc-3.jsonl".into()] } else { given["--answers"].clone() };
    let questions: Vec<Value> = chosen.iter().flat_map(|name| lines(&format!("questions/{name}.jsonl"))).collect();
    let answers: HashMap<String, Value> = files.iter().flat_map(|name| lines(name)) // a later file has the last word
        .map(|answer| (answer["id"].as_str().unwrap().to_string(), answer)).collect();

    let mut engine = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
        .unwrap_or_else(|error| stop(format!("the engine cannot be run: {error}")));
    let mut input = engine.stdin.take().unwrap();
    let asked: Vec<Value> = questions.iter().map(|one| some(one, &ASKED)).collect();
    std::thread::spawn(move || asked.iter().all(|line| writeln!(input, "{line}").is_ok()));
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines();

    let (mut topics, mut wrong, mut heard) = (BTreeMap::<String, (usize, usize)>::new(), vec![], 0);
    let mut counts = BTreeMap::<&str, usize>::new();
    for question in &questions {
        let line = output.next().and_then(Result::ok);
        heard += line.is_some() as usize;
        let answer = line.as_ref().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(json!({"error": "no answer"}));
        let (name, expected) = (question["id"].as_str().unwrap(), &answers[question["id"].as_str().unwrap()]);
        if answer.get("id").map_or(false, |said| said != name) {
            stop(format!("{} was answered where {name} was asked", answer["id"]));
        }
        let skipped = answer.get("skip").map_or(false, |skip| *skip != Value::Null && *skip != false && *skip != "");
        if skipped || expected["unresolved"] == true {
            *counts.entry(if skipped { "skipped" } else { "without an answer in this profile" }).or_default() += 1;
            continue;
        }
        let topic = expected.get("topic").unwrap_or(&question["topic"]).as_str().unwrap();
        let (right, compared) = topics.entry(topic.into()).or_default();
        *compared += 1;
        let part = &kit[question["part"].as_str().unwrap()];
        if same(expected, &answer, part["compared"].as_array().unwrap()) {
            *right += 1;
        } else if let Some(line) = line {
            wrong.push(format!("wrong: {name}"));
            if show {
                let (asked, right) = (some(question, &ASKED), some(expected, &["results", "dislodged", "units"]));
                wrong.push(format!("  asked    {asked}\n  expected {right}\n  answered {}", line.trim()));
            }
        }
    }
    for (topic, (right, compared)) in &topics {
        println!("{topic:24}{right:6} of {compared:6}");
    }
    wrong.iter().for_each(|told| println!("{told}"));
    counts.iter().for_each(|(what, count)| println!("{what}: {count}"));
    let score: f64 = topics.values().map(|(right, compared)| *right as f64 / *compared as f64).sum::<f64>() / topics.len().max(1) as f64;
    println!("score: {}%", (score * 1000.0 + 1e-9).floor() / 10.0);
    if heard < questions.len() {
        let status = engine.wait().ok().and_then(|status| status.code()).unwrap_or(-1);
        stop(format!("the engine ended after {heard} of {} answers, with exit status {status}", questions.len()));
    }
    exit(if wrong.is_empty() && !topics.is_empty() { 0 } else { 1 });
}

fn document(name: &str) -> Value {
    serde_json::from_str(&read(name)).expect(name)
}
