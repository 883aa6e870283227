// Asks an engine the questions of the kit and prints its score. Node 18 or later, nothing else.
//
// node runners/run.mjs [--answers FILE]... [--part NAME]... ENGINE [ARGUMENT]...
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const lines = (name) => read(name).split("\n").filter(Boolean).map((line) => JSON.parse(line));
const ASKED = ["id", "map", "season", "phase", "units", "dislodged", "centers", "orders"];

const given = { "--answers": [], "--part": [] };
const words = process.argv.slice(2);
while (words[0] in given) given[words.shift()].push(words.shift());
const { parts } = JSON.parse(read("kit.json"));
const chosen = given["--part"].length ? given["--part"] : Object.keys(parts).filter((name) => parts[name].usual);
const questions = chosen.flatMap((name) => lines(`questions/${name}.jsonl`));
const files = given["--answers"].length ? given["--answers"] : ["answers/datc-3.jsonl"];
const answers = new Map(files.flatMap(lines).map((answer) => [answer.id, answer])); // a later file has the last word

// Neither the order of units nor powers without units matter: lists are sorted, and what is empty is left out.
const plain = (told) => JSON.stringify(sorted(told ?? {}));
function sorted(told) {
  if (Array.isArray(told)) return [...new Set(told)].sort();
  const some = Object.keys(told).filter((key) => Object.keys(told[key]).length || inUnit(key)).sort();
  return some.map((key) => [key, sorted(told[key])]);
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
engine.stdin.on("error", () => {});
const question = (one) => JSON.stringify(Object.fromEntries(ASKED.filter((key) => key in one).map((key) => [key, one[key]])));
engine.stdin.end(questions.map((one) => question(one) + "\n").join(""));
const heard = [];
for await (const line of createInterface({ input: engine.stdout })) heard.push(answered(line));
function answered(line) {
  try {
    return Object(JSON.parse(line)); // a number or null becomes an answer without units
  } catch {
    return { error: "no JSON" };
  }
}

const topics = {}, wrong = [];
questions.forEach((question, number) => {
  const expected = answers.get(question.id), answer = heard[number] ?? { error: "no answer" };
  if (answer.skip || expected.unresolved) return;
  const right = same(expected, answer, parts[question.part].compared);
  (topics[expected.topic ?? question.topic] ??= []).push(right);
  if (!right) wrong.push(question.id);
});
const shares = Object.entries(topics).map(([topic, results]) => {
  const right = results.filter(Boolean).length;
  console.log(`${topic.padEnd(24)}${String(right).padStart(6)} of ${String(results.length).padStart(6)}`);
  return right / results.length;
});
wrong.forEach((name) => console.log(`wrong: ${name}`));
const score = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
console.log(`score: ${Math.floor(score * 1000) / 10}%`);
process.exitCode = wrong.length || !shares.length ? 1 : 0;
