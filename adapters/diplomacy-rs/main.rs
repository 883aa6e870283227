//! The Rust crate `diplomacy` (TedDriggs), asked by batch lines in all phases, under the edition that is named:
//!
//!     satjudge conformance --rules 2023 --dialect dialect.toml --against "./diplomacy-lines 2023"
//!
//! With `--time` behind the edition it answers all lines at the end, with the processor time that each took.
//! It needs `serde_json` as well. The words are the crate's own names for outcomes; dialect.toml says what they mean.

use diplomacy::geo::{ProvinceKey, RegionKey, standard_map};
use diplomacy::judge::build::{Submission as Builds, WorldState};
use diplomacy::judge::retreat::{Context as Retreats, DestStatus, OrderOutcome as RetreatOutcome, Start};
use diplomacy::judge::{
    ConvoyOutcome, HoldOutcome, MappedBuildOrder, MappedMainOrder, MappedRetreatOrder, OrderOutcome, Rulebook,
    Submission,
};
use diplomacy::order::{BuildCommand, ConvoyedMove, MainCommand, MoveCommand, RetreatCommand, SupportedOrder};
use diplomacy::{Nation, ShortName, Unit, UnitPosition, UnitPositions, UnitType};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Write};
use std::iter::Peekable;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Position = UnitPosition<'static, RegionKey>;
type Told = Map<String, Value>;
/// What is answered, or why the position is skipped.
type Answer = Result<Told, String>;

const POWERS: [&str; 7] = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];

fn main() {
    let edition = std::env::args().nth(1).unwrap_or_default();
    let rules = match edition.as_str() {
        "1971" => Rulebook::edition_1971(),
        "1982" => Rulebook::edition_1982(),
        "2023" => Rulebook::edition_2023(),
        "dptg" => Rulebook::edition_dptg(),
        _ => {
            eprintln!("usage: diplomacy-lines 1971|1982|2023|dptg [--time]");
            std::process::exit(2)
        }
    };
    let mut answers = std::io::stdout().lock();
    let lines = std::io::stdin().lock().lines().map_while(Result::ok);
    if std::env::args().nth(2).as_deref() == Some("--time") {
        let kept: Vec<String> = lines.collect();
        drop(timed(&kept, &rules)); // once to warm up
        for told in timed(&kept, &rules) {
            writeln!(answers, "{told}").expect("somebody reads the answers");
        }
        return;
    }
    for line in lines {
        writeln!(answers, "{}", told(&line, &rules)).and_then(|()| answers.flush()).expect("somebody reads the answers");
    }
}

/// The answer to a line.
fn told(line: &str, rules: &Rulebook) -> Value {
    let asked: Value = serde_json::from_str(line).unwrap_or_default();
    let mut told = match catch_unwind(AssertUnwindSafe(|| answered(&asked, rules))) {
        Ok(Ok(told)) => told,
        Ok(Err(why)) => Map::from_iter([("skip".to_string(), json!(why))]),
        Err(_) => Map::from_iter([("error".to_string(), json!("the crate panicked"))]),
    };
    told.insert("id".to_string(), asked["id"].clone());
    Value::Object(told)
}

/// A position with its orders, in the crate's own values.
type Posed = (Vec<Position>, Vec<MappedMainOrder>);

/// The answers to lines about movement phases, each with the seconds that it took: from line to line, and the crate alone, from
/// its own orders to outcomes and retreats, with everything set up before.
fn timed(lines: &[String], rules: &Rulebook) -> Vec<Value> {
    let mut found = vec![];
    let mut ready: Vec<Option<Posed>> = vec![];
    for line in lines {
        let began = processor_time();
        let written = told(line, rules).to_string();
        let seconds = processor_time() - began;
        let mut answer: Value = serde_json::from_str(&written).unwrap_or_default();
        let asked: Value = serde_json::from_str(line).unwrap_or_default();
        ready.push(answer["units"].is_object().then(|| posed(&asked)).and_then(Result::ok));
        if answer["units"].is_object() {
            answer["seconds"] = json!({"line to line": seconds});
        }
        found.push(answer);
    }
    for (answer, posed) in found.iter_mut().zip(ready) {
        if let Some((units, orders)) = posed {
            let rules = rules.clone();
            let began = processor_time();
            let submission = Submission::new(standard_map(), &units, orders);
            let outcome = submission.adjudicate(rules);
            std::hint::black_box(outcome.to_retreat_start().retreat_destinations().len());
            answer["seconds"]["judging"] = json!(processor_time() - began);
        }
    }
    found
}

fn posed(asked: &Value) -> Result<Posed, String> {
    let units = units(&asked["units"])?;
    let given = orders(asked, &units, main_order)?;
    Ok((units, given.into_iter().flat_map(|(_, orders)| orders).collect()))
}

/// Seconds of the processor that this process has used.
fn processor_time() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }
    let mut time = [0; 2];
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time[0] as f64 + time[1] as f64 / 1e9
}

fn answered(asked: &Value, rules: &Rulebook) -> Answer {
    if asked["map"].as_str().unwrap_or("standard") != "standard" {
        return Err("only the standard map".to_string());
    }
    match asked["phase"].as_str().unwrap_or("movement") {
        "movement" => movement(asked, rules),
        "retreat" => retreat(asked),
        "adjustment" => adjustment(asked, rules),
        other => Err(format!("no {other} phases")),
    }
}

fn movement(asked: &Value, rules: &Rulebook) -> Answer {
    let units = units(&asked["units"])?;
    let given = orders(asked, &units, main_order)?;
    let submitted = given.iter().flat_map(|(_, orders)| orders.iter().cloned()).collect();
    let submission = Submission::new(standard_map(), &units, submitted);
    let outcome = submission.adjudicate(rules.clone());
    let start = outcome.to_retreat_start();
    let lost: HashSet<&RegionKey> = start.retreat_destinations().keys().map(|unit| unit.region).collect();
    let results = given.iter().map(|(power, orders)| {
        let words = orders.iter().map(|order| {
            let word = outcome.get(order).map(main_word).unwrap_or_default();
            let ours = units.iter().any(|unit| unit.region == order.region && *unit.nation() == order.nation);
            match (word.is_empty(), ours && lost.contains(&order.region)) {
                (_, false) => word,
                (true, true) => "dislodged".to_string(),
                (false, true) => format!("{word}, dislodged"),
            }
        });
        (power.clone(), words.collect::<Value>())
    });
    let mut dislodged = Told::new();
    for (unit, to) in start.retreat_destinations() {
        let retreats: Vec<String> = to.available().into_iter().map(place).collect();
        let power = dislodged.entry(power(unit.nation())).or_insert_with(|| json!({}));
        power[text(unit.unit.unit_type(), unit.region)] = json!(retreats);
    }
    let mut told = Told::new();
    told.insert("results".to_string(), results.collect());
    told.insert("dislodged".to_string(), Value::Object(dislodged));
    told.insert("units".to_string(), standing(start.unit_positions()));
    Ok(told)
}

/// Retreats from a start that is put together from the places of the request.
fn retreat(asked: &Value) -> Answer {
    let units = units(&asked["units"])?;
    let mut lost: Vec<(Position, Vec<RegionKey>)> = vec![];
    for (power, texts) in asked["dislodged"].as_object().into_iter().flatten() {
        for (text, places) in texts.as_object().into_iter().flatten() {
            let to = places.as_array().into_iter().flatten().filter_map(Value::as_str).map(region);
            lost.push((unit(power, text)?, to.collect::<Result<_, _>>()?));
        }
    }
    let positions: Vec<Position> = lost.iter().map(|(unit, _)| unit.clone()).collect();
    let given = orders(asked, &positions, retreat_order)?;
    let holds: Vec<MappedMainOrder> =
        positions.iter().map(|unit| MappedMainOrder::new_from_position(unit.clone(), MainCommand::Hold)).collect();
    let start = unsafe {
        // the crate asks for whoever dislodged a unit, and looks at the unit only
        Start::from_raw_parts(
            holds.iter().map(|order| (order, order)).collect(),
            lost.iter()
                .map(|(unit, to)| (unit.as_region_ref(), to.iter().map(|place| (place, DestStatus::Available))))
                .collect(),
            units.iter().map(UnitPosition::as_region_ref),
        )
    };
    let retreats = Retreats::new(&start, given.iter().flat_map(|(_, orders)| orders.iter().cloned()));
    let outcome = retreats.resolve();
    let results = given.iter().map(|(power, orders)| {
        let words = orders.iter().map(|order| match outcome.get(order) {
            Some(RetreatOutcome::Prevented(_)) => "Prevented".to_string(),
            Some(RetreatOutcome::InvalidDestination(_)) => "InvalidDestination".to_string(),
            Some(other) => format!("{other:?}"),
            None => String::new(),
        });
        (power.clone(), words.collect::<Value>())
    });
    let mut told = Told::new();
    told.insert("results".to_string(), results.collect());
    told.insert("units".to_string(), standing(outcome.unit_positions()));
    Ok(told)
}

/// What the crate asks of the world before builds.
struct World {
    units: Vec<Position>,
    nations: HashSet<Nation>,
}

impl WorldState for World {
    fn nations(&self) -> HashSet<&Nation> {
        self.nations.iter().collect()
    }

    fn occupier(&self, province: &ProvinceKey) -> Option<&Nation> {
        self.units.iter().find(|unit| unit.region.province() == province).map(|unit| unit.nation())
    }

    fn unit_count(&self, nation: &Nation) -> u8 {
        self.units.iter().filter(|unit| unit.nation() == nation).count() as u8
    }

    fn units(&self, nation: &Nation) -> HashSet<(UnitType, RegionKey)> {
        let theirs = self.units.iter().filter(|unit| unit.nation() == nation);
        theirs.map(|unit| (unit.unit.unit_type(), unit.region.clone())).collect()
    }
}

fn adjustment(asked: &Value, rules: &Rulebook) -> Answer {
    let units = units(&asked["units"])?;
    let given = orders(asked, &units, build_order)?;
    let mut owners: HashMap<ProvinceKey, Nation> = HashMap::new();
    for (power, center) in listed(&asked["centers"]) {
        owners.insert(region(center)?.province().clone(), nation(power)?);
    }
    if owners.is_empty() {
        return Err("the crate needs somebody who owns a centre".to_string());
    }
    let mut nations: HashSet<Nation> = units.iter().map(|unit| unit.nation().clone()).collect();
    nations.extend(owners.values().cloned());
    for (power, _) in &given {
        nations.insert(nation(power)?);
    }
    let world = World { units, nations };
    let submission =
        Builds::new(standard_map(), &owners, &world, given.iter().flat_map(|(_, orders)| orders.iter().cloned()));
    let outcome = submission.adjudicate(rules.clone());
    let results = given.iter().map(|(power, orders)| {
        let words = orders.iter().map(|order| outcome.get(order).map(|word| format!("{word:?}")).unwrap_or_default());
        (power.clone(), words.collect::<Value>())
    });
    let mut told = Told::new();
    told.insert("results".to_string(), results.collect());
    let after: Vec<Position> = outcome.to_final_unit_positions().collect();
    told.insert("units".to_string(), standing(after.iter().map(UnitPosition::as_region_ref)));
    Ok(told)
}

/// The crate's name for an outcome, without the order that it names.
fn main_word(outcome: &OrderOutcome<&MappedMainOrder>) -> String {
    let name = match outcome {
        OrderOutcome::Hold(HoldOutcome::Dislodged(_)) => return String::new(), // which is told anyway
        OrderOutcome::Convoy(ConvoyOutcome::Dislodged(_)) => "ConvoyDislodged".to_string(),
        other => format!("{other:?}"),
    };
    name.split('(').next().unwrap_or_default().to_string()
}

/// The texts of `units`, `orders` or `centers`, each with its power.
fn listed(texts: &Value) -> Vec<(&str, &str)> {
    let powers = texts.as_object().into_iter().flatten();
    powers
        .flat_map(|(power, texts)| {
            let texts = texts.as_array().into_iter().flatten().filter_map(Value::as_str);
            texts.map(move |text| (power.as_str(), text))
        })
        .collect()
}

fn units(texts: &Value) -> Result<Vec<Position>, String> {
    listed(texts).into_iter().map(|(power, text)| unit(power, text)).collect()
}

fn unit(power: &str, text: &str) -> Result<Position, String> {
    let (kind, location) = text.split_at(1);
    Ok(UnitPosition::new(Unit::new(Cow::Owned(nation(power)?), kind_of(kind)), region(location.trim())?))
}

/// The orders of each power. Raises a skip for an order that the crate cannot be told.
fn orders<T>(
    asked: &Value,
    units: &[Position],
    made: impl Fn(Nation, &Words, &[Position]) -> Result<T, String>,
) -> Result<Vec<(String, Vec<T>)>, String> {
    let mut found = vec![];
    for (power, texts) in asked["orders"].as_object().into_iter().flatten() {
        let texts = texts.as_array().into_iter().flatten().filter_map(Value::as_str);
        let orders = texts.map(|text| made(nation(power)?, &Words::read(text)?, units));
        found.push((power.clone(), orders.collect::<Result<_, _>>()?));
    }
    Ok(found)
}

/// A unit as an order names it, perhaps without its kind.
type Named = (Option<UnitType>, RegionKey);

fn named<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Result<Named, String>> {
    let kind = words.next_if(|word| *word == "A" || *word == "F").map(kind_of);
    Some(region(words.next()?).map(|place| (kind, place)))
}

/// An order, taken apart: a unit, one of H - S C R D B, and for the last words another unit and a place.
struct Words {
    text: String,
    unit: Named,
    word: String,
    other: Option<Named>,
    destination: Option<RegionKey>,
    via: bool,
}

impl Words {
    fn read(text: &str) -> Result<Self, String> {
        let unknown = || format!("the adapter does not know such an order: {text}");
        let via = text.ends_with(" VIA");
        let plain = text.strip_suffix(" VIA").unwrap_or(text);
        let mut words = plain.split(' ').filter(|word| !POWERS.contains(word)).peekable();
        let unit = named(&mut words).ok_or_else(unknown)??;
        let word = words.next().ok_or_else(unknown)?.to_string();
        let (mut other, mut destination) = (None, None);
        match word.as_str() {
            "S" | "C" => {
                other = Some(named(&mut words).ok_or_else(unknown)??);
                if words.next_if_eq(&"-").is_some() {
                    destination = Some(region(words.next().ok_or_else(unknown)?)?);
                }
            }
            "-" | "R" => destination = Some(region(words.next().ok_or_else(unknown)?)?),
            "H" | "D" | "B" => {}
            _ => return Err(unknown()),
        }
        if words.next().is_some() {
            return Err(format!("the crate has no convoy routes: {text}"));
        }
        Ok(Self { text: text.to_string(), unit, word, other, destination, via })
    }

    /// The kind that is named, or that of the unit which stands there.
    fn kind(&self, named: &Named, units: &[Position]) -> Result<UnitType, String> {
        let there = units.iter().find(|unit| unit.region.province() == named.1.province());
        let kind = named.0.or(there.map(|unit| unit.unit.unit_type()));
        kind.ok_or_else(|| format!("the crate needs the kind of a unit: {}", self.text))
    }

    fn unknown(&self) -> String {
        format!("the crate has no such order in this phase: {}", self.text)
    }
}

fn main_order(nation: Nation, words: &Words, units: &[Position]) -> Result<MappedMainOrder, String> {
    let command: MainCommand<RegionKey> = match (words.word.as_str(), &words.other, &words.destination) {
        ("H", _, _) => MainCommand::Hold,
        ("-", _, Some(there)) if words.via => MoveCommand::with_mandatory_convoy(there.clone()).into(),
        ("-", _, Some(there)) => MoveCommand::new(there.clone()).into(),
        ("S", Some(other), Some(there)) => {
            SupportedOrder::Move(words.kind(other, units)?, other.1.clone(), there.clone()).into()
        }
        ("S", Some(other), None) => SupportedOrder::Hold(words.kind(other, units)?, other.1.clone()).into(),
        ("C", Some(other), Some(there)) => ConvoyedMove::new(other.1.clone(), there.clone()).into(),
        _ => return Err(words.unknown()),
    };
    Ok(MappedMainOrder::new(nation, words.kind(&words.unit, units)?, words.unit.1.clone(), command))
}

fn retreat_order(nation: Nation, words: &Words, lost: &[Position]) -> Result<MappedRetreatOrder, String> {
    let command = match (words.word.as_str(), &words.destination) {
        ("R", Some(there)) if !words.via => RetreatCommand::Move(there.clone()),
        ("D", None) => RetreatCommand::Hold,
        _ => return Err(words.unknown()),
    };
    Ok(MappedRetreatOrder::new(nation, words.kind(&words.unit, lost)?, words.unit.1.clone(), command))
}

fn build_order(nation: Nation, words: &Words, units: &[Position]) -> Result<MappedBuildOrder, String> {
    let command = match words.word.as_str() {
        "B" => BuildCommand::Build,
        "D" => BuildCommand::Disband,
        _ => return Err(words.unknown()),
    };
    Ok(MappedBuildOrder::new(nation, words.kind(&words.unit, units)?, words.unit.1.clone(), command))
}

fn standing<'a>(units: impl IntoIterator<Item = UnitPosition<'a, &'a RegionKey>>) -> Value {
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    for unit in units {
        found.entry(power(unit.nation())).or_default().push(text(unit.unit.unit_type(), unit.region));
    }
    json!(found)
}

fn kind_of(text: &str) -> UnitType {
    if text == "A" { UnitType::Army } else { UnitType::Fleet }
}

fn text(kind: UnitType, region: &RegionKey) -> String {
    format!("{} {}", kind.short_name(), place(region))
}

/// The crate writes `stp(nc)` for STP/NC.
fn place(region: &RegionKey) -> String {
    region.short_name().to_uppercase().replace('(', "/").replace(')', "")
}

fn region(text: &str) -> Result<RegionKey, String> {
    let written = match text.split_once('/') {
        Some((province, coast)) => format!("{}({})", province.to_lowercase(), coast.to_lowercase()),
        None => text.to_lowercase(),
    };
    written.parse().map_err(|_| format!("the crate has no place {text}"))
}

/// The crate's homes belong to AUS, ENG and so on.
fn nation(power: &str) -> Result<Nation, String> {
    let known = POWERS.contains(&power);
    known.then(|| Nation::from(&power[..3])).ok_or_else(|| format!("there is no power {power}"))
}

fn power(nation: &Nation) -> String {
    let short = nation.short_name();
    POWERS.iter().find(|power| power[..3] == *short).map_or_else(|| short.to_string(), ToString::to_string)
}
