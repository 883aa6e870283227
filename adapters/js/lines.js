#!/usr/bin/env node
// Answers lines of the batch format on standard input: `npx satjudge < lines.jsonl`, or `npx satjudge TABLES < lines.jsonl`.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { load, Refusal } from "./index.js";

const judge = await load(process.argv[2] ? { tables: pathToFileURL(process.argv[2]) } : {});

/** Answer a line; a refusal is an error of its line, as in `satjudge batch`. */
function answered(line) {
  try {
    return judge.answer(line);
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
