// Plays a year by a satjudge service, from JavaScript: `node docs/clients/client.mjs http://127.0.0.1:8780` (Node 18, Deno, browsers).

const SERVICE = process.argv[2] ?? "http://127.0.0.1:8780";

/** Ask the service, or throw what it says is wrong. */
async function ask(path, question) {
  const answer = await fetch(SERVICE + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.message);
  return told;
}

let phase = {
  phase: "S1901M",
  units: { FRANCE: ["A PAR", "A MAR", "F BRE"], GERMANY: ["A MUN", "A BER", "F KIE"] },
  centers: { FRANCE: ["PAR", "MAR", "BRE"], GERMANY: ["MUN", "BER", "KIE"] },
};
const ORDERS = {
  S1901M: { FRANCE: ["A PAR - BUR", "A MAR S A PAR - BUR"], GERMANY: ["A MUN - BUR", "F KIE - HOL"] },
  F1901M: { FRANCE: ["A BUR - BEL"], GERMANY: ["A MUN - RUH"] },
  W1901A: { FRANCE: ["A PAR B"], GERMANY: ["A KIE B"] },
};
while (phase.phase in ORDERS) {
  phase.orders = ORDERS[phase.phase];
  const played = await ask("/next", phase);
  for (const [power, verdicts] of Object.entries(played.judged.results)) {
    verdicts.forEach((verdict, n) => console.log(phase.phase, power, phase.orders[power][n], "->", verdict));
  }
  phase = played.next;
}
console.log(phase.phase, JSON.stringify([...phase.units.FRANCE].sort()));
try {
  await ask("/judge", { ...phase, orders: { FRANCE: ["A PAR - BUR"] }, unit: [] });
} catch (error) {
  console.log("refused:", error.message);
}
