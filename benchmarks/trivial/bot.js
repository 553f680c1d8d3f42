// Answers index 0 to every request.
const answers = { hello: '{"type":"hello","protocol":1}\n', new_game: '{"type":"ready"}\n' };

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "act") process.stdout.write(`{"type":"action","id":${message.id},"index":0}\n`);
  else if (message.type in answers) process.stdout.write(answers[message.type]);
  else if (message.type === "quit") process.exit();
});
