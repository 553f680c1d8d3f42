// Hidden Leaders Duel: two rows of cards, the seats' hands and collections, the scoring explained.

const ROLE_FACTIONS = { Lemron: "HS", Cyra: "IS", Myrad: "HU", Xiadul: "IU", Pavyr: "IH", Enned: "SU" };
const SPACE_NAMES = ["A", "B"].flatMap((row) => [1, 2, 3, 4, 5, 6, 7].map((column) => `${row}${column}`));

function cardFace(word, { up = true, pick, label, mark } = {}) {
  const hidden = word[1] === "?";
  return el("div", { class: `card f${word[0]} ${up ? "up" : "down"} ${mark ?? ""}`, role: "img", "data-pick": pick, "aria-label": label ?? cardWords(word) },
    el("span", { class: "value", "aria-hidden": "true" }, hidden ? "?" : word[1]),
    el("span", { class: "sigil", "aria-hidden": "true" }, word[0]));
}

function displaySpace(space, shown, marks) {
  const mark = marks.has(space) ? "marked" : "";
  if (!shown) {
    return el("div", { class: `space free ${mark}`, "data-pick": `space:${space}`, role: "img", "aria-label": `${space}: freed` }, el("span", { class: "at" }, space));
  }
  const blocked = shown.blocker ? `, blocked by ${cardWords(shown.blocker)}` : "";
  const label = `${space}: ${cardWords(shown.card)}, ${shown.face_up ? "face up" : "face down"}${blocked}`;
  return el("div", { class: `space ${mark} ${shown.blocker ? "blocked" : ""}`, "data-pick": `space:${space}`, role: "group", "aria-label": label },
    cardFace(shown.card, { up: shown.face_up }),
    shown.blocker ? cardFace(shown.blocker, { up: false, mark: "blocker" }) : null,
    el("span", { class: "at", "aria-hidden": "true" }, space));
}

function seatCards(seat, known, who, toAct) {
  const cards = (name, words, pick) => el("div", { class: "cards", role: "group", "aria-label": `${name} of seat ${seat}` },
    el("span", { class: "what" }, `${name} `, el("span", { class: "quiet" }, String(words.length))),
    words.length ? words.map((word, i) => cardFace(word, { up: word[1] !== "?", pick: pick && `${pick}:${word}:${i}` })) : el("span", { class: "what" }, "empty"));
  const role = known.role;
  return el("div", { class: `seat ${toAct ? "acting" : ""}` },
    el("div", { class: "who" }, who(seat), toAct ? el("span", { class: "tag" }, "to act") : null,
      el("span", { class: "role" }, role ? `${role.name}: ${role.factions.map((f) => FACTIONS[f]).join(" and ")}` : "role hidden")),
    cards("Hand", known.hand, known.mine ? "card" : null),
    el("div", { class: "collect", "data-pick": known.mine ? "collect" : null }, cards("Collection", known.collection)));
}

function hiddenLeadersSeats(view, viewer) {
  if (view.players) return view.players.map((cards) => ({ ...cards }));
  const own = { hand: view.hand, collection: view.collection, role: view.role, mine: true };
  return viewer === 0 ? [own, { ...view.opponent }] : [{ ...view.opponent }, own];
}

const hiddenLeaders = {
  draw(view, { viewer, who, events, scored }) {
    const seats = hiddenLeadersSeats(view, viewer);
    const display = { ...view.display };
    const marks = new Set(events.flatMap((e) => (e.cards ? Object.keys(e.cards) : e.space ? [e.space] : [])));
    if (scored) {
      for (const [space, { card, blocker }] of Object.entries(scored.display)) display[space] = { card, blocker, face_up: true };
      for (const seat of [0, 1]) {
        const name = scored.roles[seat];
        seats[seat] = { hand: [], collection: scored.collections[seat], role: { name, factions: [...ROLE_FACTIONS[name]] } };
      }
    }
    const near = viewer === 1 ? 1 : 0;
    const row = (letter) => el("div", { class: "row", role: "group", "aria-label": `Row ${letter}` },
      SPACE_NAMES.filter((space) => space[0] === letter).map((space) => displaySpace(space, display[space], marks)));
    const pile = view.draw_pile;
    return el("div", { class: "hld" },
      seatCards(1 - near, seats[1 - near], who, view.seat_to_act === 1 - near),
      el("div", { class: "table" }, row(near ? "A" : "B"), row(near ? "B" : "A"),
        el("p", { class: "pile" }, pile.count ? ["Draw pile: ", String(pile.count), ", on top ", cardFace(pile.top, { up: false })] : "The draw pile is empty.",
          el("span", { class: "turn" }, view.step === "over" ? "The game is over." : `Round ${view.round} of 7, turn ${view.turn + 1} of 14: ${view.step}`))),
      seatCards(near, seats[near], who, view.seat_to_act === near));
  },

  explain(scored, who) {
    const faces = (words) => (words.length ? el("span", { class: "faces" }, words.map((word) => cardFace(word))) : el("span", { class: "quiet" }, "–"));
    const sum = (words) => words.reduce((total, word) => total + Number(word[1]), 0);
    const heads = ["faction", "totals", "cards in A, B"];
    for (const seat of [0, 1]) heads.push(`row of seat ${seat}`, `seat ${seat} receives`, { text: "points", num: true });
    const rows = Object.entries(scored.factions).map(([faction, part]) => [
      FACTIONS[faction], part.totals.join(" and "), `${part.counts.A}, ${part.counts.B}`,
      ...[0, 1].flatMap((seat) => [part.rows[seat], faces(part.received[seat]), String(sum(part.received[seat]))]),
    ]);
    rows.push(["all", "", "", ...[0, 1].flatMap((seat) => ["", `${scored.received[seat]} cards`, el("strong", {}, String(scored.points[seat]))])]);
    return el("div", { class: "scoring" }, el("h3", {}, "The scoring"),
      el("p", {}, [0, 1].map((seat) => [who(seat), ` was ${scored.roles[seat]} and collected `, faces(scored.collections[seat]), ". "])),
      table("Points of each faction", heads, rows),
      el("p", { class: "small" }, "A total is the sum of the collected cards of the faction, plus 1 if the role has it. The higher total gets the row with more cards of the faction; when totals or counts are equal, each seat gets the row nearer to it (A for seat 0). A seat without the faction receives nothing."));
  },

  // Ways to pick an action by its parts, in any order that people might click.
  paths(action) {
    const both = (parts) => (parts.length < 2 ? [parts.flat()] : [parts.flat(), [parts[1], parts[0]].flat()]);
    if (action.type === "take") return both(action.spaces.map((space) => [`space:${space}`]));
    if (action.type === "place") {
      const pairs = Object.entries(action.cards);
      return [...both(pairs.map(([space, card]) => [`card:${card}`, `space:${space}`])), ...both(pairs.map(([space, card]) => [`space:${space}`, `card:${card}`]))];
    }
    if (action.type === "block") return [[`card:${action.card}`, `space:${action.space}`]];
    return [[`card:${action.card}`, "collect"]];
  },
};
