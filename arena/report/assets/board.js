// The board of a game: a picture where the page knows the game, else the game's own text.

const textBoard = { draw: (view) => el("pre", { class: "textboard" }, view.text), paths: () => [] };
const BOARDS = { "hidden-leaders-duel": hiddenLeaders, leaders, "leaders-expert": leaders };
const boardOf = (game) => BOARDS[game] ?? textBoard;
