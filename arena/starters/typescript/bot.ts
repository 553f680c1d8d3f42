// A bot for Arena: write your idea into `choose`. To debug, use console.error; stdout belongs to the protocol.
declare const process: any; // Node's own types would be a dependency
declare const console: any;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type View = { [key: string]: Json };
type Action = { [key: string]: Json };
type Clock = { move_ms?: number; bank_ms?: number; used_ms?: number };

/**
 * The index into `legal` of the action to take.
 * view: what your seat may see, as on the game's page; legal: the actions open to you, never empty;
 * clock: milliseconds, `move_ms` for this answer and `bank_ms` in reserve.
 */
function choose(view: View, legal: Action[], clock: Clock): number {
  return random(legal.length);
}

let state = 0;

/** A whole number from 0 to below - 1. The seed makes a game repeatable, which Math.random cannot (mulberry32). */
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
}

function send(message: { [key: string]: Json }): void {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let legal: Action[] = [];

function answer(message: any): void {
  switch (message.type) {
    case "hello":
      return send({ type: "hello", protocol: 1 });
    case "new_game": {
      const seed: number = message.random_seed ?? 0;
      state = (seed ^ Math.floor(seed / 2 ** 32)) | 0;
      return send({ type: "ready" });
    }
    case "act":
      legal = message.legal;
      return send({ type: "action", id: message.id, index: choose(message.view, legal, message.clock ?? {}) });
    case "error": // only where the tournament allows another try: say what was wrong, take any action
      console.error(message.text);
      return send({ type: "action", id: message.id, index: random(legal.length) });
    case "quit":
      process.exit(0);
  }
}

// Not the readline module: it would also break lines at U+2028, which JSON allows inside of strings.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) answer(JSON.parse(line));
});
