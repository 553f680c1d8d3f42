//! A bot for Arena: write your idea into `choose`. To debug, use eprintln!; stdout belongs to the protocol.
use std::io::{BufRead, Write};

/// The index into `legal` of the action to take, all as JSON texts. `view`: what your seat may see, as on the game's
/// page; `legal`: the actions open to you, never empty; `clock`: milliseconds, "move_ms" for this answer and "bank_ms"
/// in reserve.
fn choose(_view: &str, legal: &[&str], _clock: &str, rng: &mut Rng) -> usize {
    rng.below(legal.len())
}

/// Splitmix64: the seed makes a game repeatable.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// The elements of a JSON array, or the keys and values of a JSON object in turn.
fn parts(json: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start, mut quoted, mut escaped) = (Vec::new(), 0, 0, false, false);
    for (i, c) in json.bytes().enumerate() {
        if quoted {
            quoted = escaped || c != b'"';
            escaped = !escaped && c == b'\\';
            continue;
        }
        let (opens, closes, cuts) = (matches!(c, b'[' | b'{'), matches!(c, b']' | b'}'), matches!(c, b',' | b':'));
        if depth == 1 && (closes || cuts) && !json[start..i].trim().is_empty() {
            found.push(json[start..i].trim());
        }
        quoted = c == b'"';
        depth += opens as i32 - closes as i32;
        if depth == 1 && (opens || cuts) {
            start = i + 1;
        }
    }
    found
}

/// The value of a key, written with its quotes: `member(view, "\"hand\"")`. Empty if there is none.
fn member<'a>(object: &'a str, quoted_key: &str) -> &'a str {
    parts(object).chunks_exact(2).find(|pair| pair[0] == quoted_key).map_or("", |pair| pair[1])
}

fn main() -> std::io::Result<()> {
    let (mut rng, mut count) = (Rng(0), 0);
    let mut out = std::io::stdout();
    let (mut input, mut line) = (std::io::stdin().lock(), String::new());
    while input.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let id = member(&line, "\"id\"");
        match member(&line, "\"type\"") {
            "\"hello\"" => writeln!(out, r#"{{"type":"hello","protocol":1}}"#)?,
            "\"new_game\"" => {
                rng = Rng(member(&line, "\"random_seed\"").parse::<f64>().unwrap_or(0.0) as u64);
                writeln!(out, r#"{{"type":"ready"}}"#)?;
            }
            "\"act\"" => {
                let legal = parts(member(&line, "\"legal\""));
                count = legal.len();
                let index = choose(member(&line, "\"view\""), &legal, member(&line, "\"clock\""), &mut rng);
                writeln!(out, r#"{{"type":"action","id":{id},"index":{index}}}"#)?;
            }
            "\"error\"" => {
                eprint!("{line}"); // only where another try is allowed: show it, take any action
                writeln!(out, r#"{{"type":"action","id":{id},"index":{}}}"#, rng.below(count))?;
            }
            "\"quit\"" => break,
            _ => {}
        }
        out.flush()?;
        line.clear();
    }
    Ok(())
}
