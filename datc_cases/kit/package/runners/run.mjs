// Asks an engine the questions of the kit and prints its score. Node 18 or later, nothing else.
//
// node runners/run.mjs [--answers FILE]... [--part NAME]... [--show] ENGINE [ARGUMENT]...
// The kit is the folder above; for a copy of this file elsewhere the environment variable KIT names it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const ASKED = ["id", "map", "season", "phase", "units", "dislodged", "centers", "orders"];
const KEYS = ["results", "dislodged", "units"];
const kit = process.env.KIT ? pathToFileURL(`${process.env.KIT}/`) : new URL("../", import.meta.url);
const stop = (message) => {
  console.error(message);
  process.exit(2);
};
function read(name) {
  try {
    return readFileSync(new URL(name, kit), "utf8");
  } catch {
    stop(`the kit has no ${name} (its folder is ${kit.pathname}; the environment variable KIT names another)`);
  }
}
const lines = (name) => read(name).split("\n").filter(Boolean).map((line) => JSON.parse(line));
const some = (told, keys) => JSON.stringify(Object.fromEntries(keys.filter((key) => key in told).map((key) => [key, told[key]])));

const given = { "--answers": [], "--part": [] };
const words = process.argv.slice(2);
let show = false;
while (words[0]?.startsWith("--")) {
  const word = words.shift();
  if (word === "--show") show = true;
  else if (word in given && words.length) given[word].push(words.shift());
  else stop(`there is no option ${word}: --answers FILE, --part NAME, --show`);
}
if (!words.length) stop("no engine is named");
const { parts } = JSON.parse(read("kit.json"));
const chosen = given["--part"].length ? given["--part"] : Object.keys(parts).filter((name) => parts[name].usual);
const questions = chosen.flatMap((name) => lines(`questions/${name}.jsonl`));
const files = given["--answers"].length ? given["--answers"] : ["answers/datc-3.jsonl"];
const answers = new Map(files.flatMap(lines).map((answer) => [answer.id, answer])); // a later file has the last word

// Neither the order of units nor powers without units matter: lists are sorted, and what is empty is left out.
const plain = (told) => JSON.stringify(sorted(told ?? {}));
function sorted(told) {
  if (Array.isArray(told)) return [...new Set(told)].sort();
  const kept = Object.keys(told).filter((key) => Object.keys(told[key]).length || inUnit(key)).sort();
  return kept.map((key) => [key, sorted(told[key])]);
}
const inUnit = (key) => /^[A-Z] /.test(key); // a dislodged unit without retreats

function same(expected, answer, keys) {
  if ("error" in answer || !("units" in answer)) return false;
  for (const key of ["units", "dislodged"])
    if (keys.includes(key) && key in answer && plain(answer[key]) !== plain(expected[key])) return false;
  const theirs = answer.results ?? {};
  if (!keys.includes("results") || !Object.keys(theirs).length) return true;
  return Object.entries(expected.results ?? {}).every(([power, ours]) => {
    const words = theirs[power] ?? [];
    return words.length === ours.length && ours.every((word, number) => words[number] === "" || words[number] === word);
  });
}

const engine = spawn(words[0], words.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
engine.on("error", (error) => stop(`the engine cannot be run: ${error.message}`));
const ended = once(engine, "close");
engine.stdin.on("error", () => {});
engine.stdin.end(questions.map((one) => some(one, ASKED) + "\n").join(""));
const heard = [];
for await (const line of createInterface({ input: engine.stdout })) heard.push(line);
function answered(line) {
  try {
    return Object(JSON.parse(line)); // a number or null becomes an answer without units
  } catch {
    return { error: "no JSON" };
  }
}

const topics = {}, wrong = [], counts = {};
questions.forEach((question, number) => {
  const line = heard[number], expected = answers.get(question.id), answer = line === undefined ? { error: "no answer" } : answered(line);
  if ("id" in answer && answer.id !== question.id) stop(`${answer.id} was answered where ${question.id} was asked`);
  const why = answer.skip ? "skipped" : expected.unresolved ? "without an answer in this profile" : "";
  if (why) return (counts[why] = (counts[why] ?? 0) + 1);
  const right = same(expected, answer, parts[question.part].compared);
  (topics[expected.topic ?? question.topic] ??= []).push(right);
  if (!right && line !== undefined) wrong.push([question, expected, line.trim()]);
});
const shares = Object.entries(topics).map(([topic, results]) => {
  const right = results.filter(Boolean).length;
  console.log(`${topic.padEnd(24)}${String(right).padStart(6)} of ${String(results.length).padStart(6)}`);
  return right / results.length;
});
for (const [question, expected, line] of wrong) {
  console.log(`wrong: ${question.id}`);
  if (show) console.log(`  asked    ${some(question, ASKED)}\n  expected ${some(expected, KEYS)}\n  answered ${line}`);
}
for (const what of Object.keys(counts).sort()) console.log(`${what}: ${counts[what]}`);
const score = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
console.log(`score: ${Math.floor(score * 1000) / 10}%`);
const [status] = await ended;
if (heard.length < questions.length) stop(`the engine ended after ${heard.length} of ${questions.length} answers, with exit status ${status}`);
process.exitCode = wrong.length || !shares.length ? 1 : 0;
