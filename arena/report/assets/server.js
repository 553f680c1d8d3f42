// Questions to the server that this page came from. The token came in the fragment of the address and stays in this tab.

const TOKEN = "arena-token";
if (fragment().has("token")) {
  sessionStorage.setItem(TOKEN, fragment().get("token"));
  history.replaceState(null, "", "#");
}

async function ask(what, question = {}) {
  const answer = await fetch(`/${what}`, {
    method: "POST",
    headers: { "Authorization": `Bearer ${sessionStorage.getItem(TOKEN)}`, "Content-Type": "application/json" },
    body: JSON.stringify(question),
  });
  if (answer.status === 403) throw new Error("This tab has no valid token: open the address that the command printed.");
  const found = await answer.json();
  if (found?.error) throw new Error(found.error);
  return found;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
