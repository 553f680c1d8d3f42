// A bot for Arena: write your idea into choose(). To debug, use std::cerr; std::cout belongs to the protocol.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using Json = std::string_view;  // a JSON value as it stands in the line
static std::mt19937_64 rng;

static std::size_t random_below(std::size_t n) { return n ? rng() % n : 0; }

// The elements of an array, or the keys and values of an object in turn.
static std::vector<Json> parts(Json json) {
    std::vector<Json> found;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < json.size(); i++) {
        char c = json[i];
        if (c == '"') {
            while (++i < json.size() && json[i] != '"') i += json[i] == '\\';
            continue;
        }
        bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
        if (depth == 1 && (closes || c == ',' || c == ':')) {
            Json part = json.substr(start, i - start);
            std::size_t first = part.find_first_not_of(" \t\r\n"), last = part.find_last_not_of(" \t\r\n");
            if (first != Json::npos) found.push_back(part.substr(first, last - first + 1));
        }
        depth += opens - closes;
        if (depth == 1 && (opens || c == ',' || c == ':')) start = i + 1;
    }
    return found;
}

// The value of a key, written with its quotes: member(view, "\"hand\""). Empty if there is none.
static Json member(Json object, Json quoted_key) {
    std::vector<Json> found = parts(object);
    for (std::size_t i = 0; i + 1 < found.size(); i += 2)
        if (found[i] == quoted_key) return found[i + 1];
    return {};
}

// The index into legal of the action to take. view: what your seat may see, as on the game's page; legal: the actions
// open to you, never empty; clock: milliseconds, "move_ms" for this answer and "bank_ms" in reserve.
static std::size_t choose(Json view, const std::vector<Json>& legal, Json clock) {
    (void)view, (void)clock;
    return random_below(legal.size());
}

int main() {
    std::ios::sync_with_stdio(false);
    std::string line;
    std::size_t count = 0;
    while (std::getline(std::cin, line) && !std::cin.eof()) {
        Json type = member(line, "\"type\""), id = member(line, "\"id\"");
        if (type == "\"hello\"") {
            std::cout << R"({"type":"hello","protocol":1})" << std::endl;  // endl flushes: the referee is waiting
        } else if (type == "\"new_game\"") {
            std::string seed(member(line, "\"random_seed\""));
            rng.seed(static_cast<std::uint64_t>(std::strtod(seed.c_str(), nullptr)));
            std::cout << R"({"type":"ready"})" << std::endl;
        } else if (type == "\"act\"") {
            std::vector<Json> legal = parts(member(line, "\"legal\""));
            count = legal.size();
            std::size_t index = choose(member(line, "\"view\""), legal, member(line, "\"clock\""));
            std::cout << R"({"type":"action","id":)" << id << R"(,"index":)" << index << "}" << std::endl;
        } else if (type == "\"error\"") {  // only where another try is allowed: show it, take any action
            std::cerr << line << std::endl;
            std::cout << R"({"type":"action","id":)" << id << R"(,"index":)" << random_below(count) << "}" << std::endl;
        } else if (type == "\"quit\"") {
            break;
        }
    }
}
