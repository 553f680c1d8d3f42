/* A bot for Arena: write your idea into choose(). To debug, print to stderr; stdout belongs to the protocol. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *at; size_t size; } Json; /* a JSON value as it stands in the line */
static uint64_t state;

static size_t random_below(size_t n) { /* splitmix64: the seed makes a game repeatable */
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return n ? (size_t)((z ^ z >> 31) % n) : 0;
}

/* Cuts the next element off an array, or the next key or value off an object. False at the end. */
static bool next(Json *rest, Json *part) {
    const char *p = rest->at + strspn(rest->at, " \t\r\n"), *end = rest->at + rest->size;
    if (p >= end || !strchr("[{,:", *p)) return false;
    const char *start = p + 1 + strspn(p + 1, " \t\r\n");
    int depth = 0;
    for (p++; p < end; p++) {
        if (*p == '"') {
            while (++p < end && *p != '"') p += *p == '\\';
        } else if (depth == 0 && strchr(",:]}", *p)) {
            const char *stop = p;
            while (stop > start && strchr(" \t\r\n", stop[-1])) stop--;
            *part = (Json){start, stop > start ? (size_t)(stop - start) : 0};
            *rest = (Json){p, (size_t)(end - p)};
            return part->size > 0;
        } else depth += (*p == '[' || *p == '{') - (*p == ']' || *p == '}');
    }
    return false;
}

static bool is(Json value, const char *text) {
    return value.size == strlen(text) && memcmp(value.at, text, value.size) == 0;
}

/* The value of a key, written with its quotes: member(view, "\"hand\""). Size 0 if there is none. */
static Json member(Json object, const char *quoted_key) {
    Json key, value;
    while (next(&object, &key) && next(&object, &value)) if (is(key, quoted_key)) return value;
    return (Json){"", 0};
}

/* The index into legal of the action to take. view: what your seat may see, as on the game's page; legal: the count
   actions open to you, at least one; clock: milliseconds, "move_ms" for this answer and "bank_ms" in reserve. */
static size_t choose(Json view, const Json *legal, size_t count, Json clock) {
    (void)view, (void)legal, (void)clock;
    return random_below(count);
}

int main(void) {
    char *line = NULL;
    Json *legal = NULL;
    size_t room = 0, count = 0;
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0 && line[size - 1] == '\n'; fflush(stdout)) {
        Json message = {line, (size_t)size}, type = member(message, "\"type\""), id = member(message, "\"id\"");
        if (is(type, "\"hello\"")) puts("{\"type\":\"hello\",\"protocol\":1}");
        else if (is(type, "\"new_game\"")) {
            state = (uint64_t)strtod(member(message, "\"random_seed\"").at, NULL);
            puts("{\"type\":\"ready\"}");
        } else if (is(type, "\"act\"")) {
            Json rest = member(message, "\"legal\""), part;
            for (count = 0; next(&rest, &part); legal[count++] = part)
                if (!(legal = realloc(legal, (count + 1) * sizeof part))) abort();
            size_t index = choose(member(message, "\"view\""), legal, count, member(message, "\"clock\""));
            printf("{\"type\":\"action\",\"id\":%.*s,\"index\":%zu}\n", (int)id.size, id.at, index);
        } else if (is(type, "\"error\"")) { /* only where another try is allowed: show it, take any action */
            fputs(line, stderr);
            printf("{\"type\":\"action\",\"id\":%.*s,\"index\":%zu}\n", (int)id.size, id.at, random_below(count));
        } else if (is(type, "\"quit\"")) break;
    }
    free(line), free(legal);
    return 0;
}
