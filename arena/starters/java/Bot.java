import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** A bot for Arena: write your idea into choose. To debug, use System.err; System.out belongs to the protocol. */
public final class Bot {
    static final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8); // println flushes
    static final Random rng = new Random();
    static int count = 0;

    /** The index into legal of the action to take. view: what your seat may see, as on the game's page; legal: the
     * actions open to you, never empty; clock: milliseconds, "move_ms" for this answer and "bank_ms" in reserve. */
    static int choose(String view, List<String> legal, String clock) {
        return rng.nextInt(legal.size());
    }

    /** The elements of a JSON array, or the keys and values of a JSON object in turn. */
    static List<String> parts(String json) {
        List<String> found = new ArrayList<>();
        int depth = 0, start = 0;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '"') {
                while (++i < json.length() && json.charAt(i) != '"') if (json.charAt(i) == '\\') i++;
                continue;
            }
            boolean opens = c == '[' || c == '{', closes = c == ']' || c == '}', cuts = c == ',' || c == ':';
            if (depth == 1 && (closes || cuts)) {
                String part = json.substring(start, i).strip();
                if (!part.isEmpty()) found.add(part);
            }
            if (opens) depth++;
            if (closes) depth--;
            if (depth == 1 && (opens || cuts)) start = i + 1;
        }
        return found;
    }

    /** The value of a key as JSON text; empty if there is none. */
    static String member(String object, String key) {
        List<String> found = parts(object);
        for (int i = 0; i + 1 < found.size(); i += 2)
            if (found.get(i).equals('"' + key + '"')) return found.get(i + 1);
        return "";
    }

    static void answer(String line) {
        String id = member(line, "id");
        switch (member(line, "type")) {
            case "\"hello\"" -> out.println("{\"type\":\"hello\",\"protocol\":1}");
            case "\"new_game\"" -> {
                String seed = member(line, "random_seed");
                rng.setSeed(seed.isEmpty() ? 0 : (long) Double.parseDouble(seed));
                out.println("{\"type\":\"ready\"}");
            }
            case "\"act\"" -> {
                List<String> legal = parts(member(line, "legal"));
                count = legal.size();
                int index = choose(member(line, "view"), legal, member(line, "clock"));
                out.println("{\"type\":\"action\",\"id\":" + id + ",\"index\":" + index + "}");
            }
            case "\"error\"" -> { // only where another try is allowed: show it, take any action
                System.err.println(line);
                out.println("{\"type\":\"action\",\"id\":" + id + ",\"index\":" + rng.nextInt(count) + "}");
            }
            case "\"quit\"" -> System.exit(0);
            default -> { }
        }
    }

    public static void main(String[] args) throws IOException {
        Reader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != -1; line.append((char) c)) {
            if (c != '\n') continue;
            answer(line.toString());
            line.setLength(0);
        }
    }
}
