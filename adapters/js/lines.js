#!/usr/bin/env node
// Answers lines of the batch format on standard input: `npx satjudge < lines.jsonl`, or `npx satjudge TABLES < lines.jsonl`.
// `--legal`, `--next` and `--orders` ask something else about each line.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { load, QUESTIONS, Refusal } from "./index.js";

const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const [tables] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const question = options[0]?.slice(2) ?? "outcome";
if (options.length > 1 || !(question in QUESTIONS)) {
  console.error(`usage: satjudge [${Object.keys(QUESTIONS).map((name) => `--${name}`).join("|")}] [TABLES] < LINES`);
  process.exit(2);
}
const judge = await load(tables ? { tables: pathToFileURL(tables) } : {});

/** Answer a line; a refusal is an error of its line, as in `satjudge batch`. */
function answered(line) {
  try {
    return judge.answer(line, question);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return JSON.stringify({ id: idOf(line), error: { kind: "refused", message: error.message } });
  }
}

function idOf(line) {
  try {
    return JSON.parse(line).id ?? null;
  } catch {
    return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${answered(line)}\n`);
