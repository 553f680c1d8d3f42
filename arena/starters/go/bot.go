// A bot for Arena: write your idea into choose. To debug, print to os.Stderr; os.Stdout belongs to the protocol.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
)

type object map[string]json.RawMessage // a JSON object whose values are not yet read

var rng = rand.New(rand.NewSource(0))

// choose returns the index into legal of the action to take. view: what your seat may see, as on the game's page;
// legal: the actions open to you, never empty; clock: milliseconds, "move_ms" for this answer and "bank_ms" in reserve.
// Write down as structs what you need of them, and read them: read[MyView](view), read[float64](clock["move_ms"]).
func choose(view json.RawMessage, legal []json.RawMessage, clock object) int {
	return rng.Intn(len(legal))
}

// read decodes one JSON value; nothing if there is none.
func read[T any](data json.RawMessage) (value T) {
	if len(data) > 0 {
		if err := json.Unmarshal(data, &value); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return value
}

func main() {
	in := bufio.NewReader(os.Stdin) // not a Scanner: that one ends at lines of 64 KiB
	var legal []json.RawMessage
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // the end of the input, within a line or not
		}
		message := read[object](line) // not a struct: that one takes "ID" for "id"
		switch read[string](message["type"]) {
		case "hello":
			fmt.Println(`{"type":"hello","protocol":1}`) // Println does not buffer
		case "new_game":
			rng.Seed(int64(read[float64](message["random_seed"])))
			fmt.Println(`{"type":"ready"}`)
		case "act":
			legal = read[[]json.RawMessage](message["legal"])
			index := choose(message["view"], legal, read[object](message["clock"]))
			fmt.Printf("{\"type\":\"action\",\"id\":%s,\"index\":%d}\n", message["id"], index)
		case "error": // only where the tournament allows another try: say what was wrong, take any action
			fmt.Fprintln(os.Stderr, read[string](message["text"]))
			fmt.Printf("{\"type\":\"action\",\"id\":%s,\"index\":%d}\n", message["id"], rng.Intn(len(legal)))
		case "quit":
			return
		}
	}
}
