// Events, actions and outcomes of games as sentences; what no sentence is known for is told by its JSON.
// See `naming` for `who`.

const FACTIONS = { I: "Imperial Army", H: "Hill Tribes", S: "Sea Folk", U: "Undead" };
const ABILITIES = {
  leader: ["Leader", "moves to an adjacent space"],
  acrobat: ["active", "jumps over an adjacent character, twice at most"],
  archer: ["passive", "captures from two spaces away in a straight line"],
  assassin: ["passive", "captures a Leader alone"],
  brewmaster: ["active", "moves an adjacent ally by one space"],
  bruiser: ["active", "takes the space of an adjacent enemy and pushes it on"],
  claw_launcher: ["active", "moves to a visible character, or drags it here"],
  cub: ["special", "weighs nothing in a capture; moves with the Hermit"],
  hermit: ["special", "moves with the Cub"],
  hermit_and_cub: ["special", "two figures on one card"],
  illusionist: ["active", "changes places with a visible character"],
  jailer: ["passive", "adjacent enemies cannot use active abilities"],
  manipulator: ["active", "moves a visible enemy by one space"],
  nemesis: ["special", "follows every move of the enemy Leader"],
  protector: ["passive", "enemy abilities cannot move it or its neighbours"],
  rider: ["active", "moves two spaces in a straight line"],
  royal_guard: ["active", "goes beside its own Leader, and one step on"],
  vizier: ["passive", "its Leader may take two steps"],
  wanderer: ["active", "goes to any space without an enemy beside it"],
};
const REASONS = {
  points: "more points", cards: "equal points, more cards received", tie: "equal points and cards",
  captured: "the Leader was captured", surrounded: "the Leader was surrounded",
  repetition: "the position came a third time", "turn-limit": "the turn limit was reached",
  forfeit: "a fault forfeited the game", "double-forfeit": "neither bot could start",
};

// Names seats. `you`: the seat of the person who reads, if any; `known`: the page has sentences for this game.
const naming = (names, game, you) => Object.assign((seat) => el("span", { class: "by" }, bdi(names[seat])), { you, known: boardOf(game) !== textBoard });

const nice = (word) => word.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
const cardWords = (word) => `${FACTIONS[word[0]]} ${word[1] === "?" ? "(value hidden)" : word[1]}`;
const listed = (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

const TOLD = {
  took: (e) => `takes ${listed(Object.entries(e.cards).map(([space, card]) => `${card} from ${space}`))}`,
  placed: (e) => `places ${listed(Object.entries(e.cards).map(([space, card]) => `${card} on ${space}`))}`,
  blocked: (e) => `blocks ${e.space} with ${e.card}, face down`,
  collected: (e) => `collects ${e.card}`,
  drew: (e) => `draws ${e.card}`,
  acted(e) {
    const { character, type } = e.action;
    const ways = e.moved.map((m, i) => `${i ? `${nice(m.character)} ` : ""}${m.from} → ${m.to}`).join(", ");
    const own = e.moved[0]?.character === character ? ways : e.moved.map((m) => `${nice(m.character)} ${m.from} → ${m.to}`).join(", ");
    if (type === "move") return `moves its ${nice(character)} ${own}`;
    return `uses its ${nice(character)} (${ABILITIES[character][1]}): ${own}`;
  },
  nemesis_moved: (e) => `answers with its Nemesis ${e.from} → ${e.to}`,
  recruited: (e) => `recruits ${nice(e.card)} on ${e.at}${e.cub_at ? `, the Cub on ${e.cub_at}` : ""}`,
  market: (e) => `${nice(e.card)} comes into the market`,
  banished: (e) => `banishes ${nice(e.card)}`,
  turn: (e) => `begins turn ${e.turn + 1}`,
  scored: () => "all is revealed and scored",
};

// JSON in one line, for games that this page knows no sentences for.
function plain(data) {
  if (Array.isArray(data)) return data.map(plain).join(" ") || "nothing";
  if (data === null || typeof data !== "object") return data === null ? "–" : String(data);
  const parts = Object.entries(data).map(([key, value]) => (key === "type" ? nice(String(value)) : `${nice(key)}: ${plain(value)}`));
  return parts.join(", ");
}

function told(event, who) {
  const { type, seat, ...rest } = event;
  const known = who.known && TOLD[type];
  let sentence = known ? known(event) : plain(type === undefined ? rest : { type, ...rest });
  if (known && seat === who.you) sentence = sentence.replace(/^(\w+?)((?<=sh)es|s)\b/, "$1").replace(/\bits\b/g, "your");
  return el("span", {}, seat === undefined || seat === null ? null : [who(seat), " "], sentence);
}

const ASKED = {
  take: (a) => `Take ${listed(a.spaces)}`,
  place: (a) => `Place ${listed(Object.entries(a.cards).map(([space, card]) => `${card} on ${space}`))}`,
  block: (a) => `Block ${a.space} with ${a.card}`,
  collect: (a) => `Collect ${a.card}`,
  move: (a) => `Move ${nice(a.character)} to ${a.to}`,
  ability(a) {
    const parts = [a.target && `target on ${a.target}`, a.to && `to ${a.to}`, a.target_to && `moving it to ${a.target_to}`];
    return `${nice(a.character)}'s ability: ${parts.filter(Boolean).join(", ")}`;
  },
  end_actions: () => "End the actions",
  nemesis_move: (a) => `Nemesis to ${a.to}`,
  recruit: (a) => `Recruit ${nice(a.card)} on ${a.at}${a.cub_at ? `, the Cub on ${a.cub_at}` : ""}`,
  banish: (a) => `Banish ${nice(a.card)}`,
};
const asked = (action, who) => (who.known && ASKED[action.type] ? ASKED[action.type](action) : plain(action));

function verdict(outcome, who) {
  const [a, b] = outcome.half_points;
  const why = REASONS[outcome.reason] ?? outcome.reason;
  const fault = outcome.code ? [" (", el("code", {}, outcome.code), ")"] : null;
  if (a === b) return el("span", {}, a ? "A draw" : "Nobody wins", `: ${why}`, fault, ".");
  const winner = a > b ? 0 : 1;
  return el("span", {}, who(winner), ` ${winner === who.you ? "win" : "wins"}: ${why}`, fault, ".");
}
