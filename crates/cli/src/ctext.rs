//! C as text: where calls, statements and loops begin and end in it, past comments, strings and characters.

/// Is it a letter of a name?
pub fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The bytes of a text that are code: neither in a comment, a string, nor a character.
pub fn code(text: &str) -> Vec<bool> {
    let bytes = text.as_bytes();
    let mut is_code = vec![true; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => find(bytes, at, b"\n").unwrap_or(bytes.len()),
            (b'/', Some(b'*')) => find(bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2),
            (quote @ (b'"' | b'\''), _) => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote && bytes[end] != b'\n' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(bytes.len())
            }
            _ => {
                at += 1;
                continue;
            }
        };
        is_code[at..end].fill(false);
        at = end;
    }
    is_code
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let at = rest
        .windows(wanted.len())
        .position(|window| window == wanted)?;
    Some(from + at)
}

/// Where the bracket closes that opens at a byte.
pub fn closing(text: &str, is_code: &[bool], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        if !is_code[at] {
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first byte from here on that is code and no space.
pub fn next(text: &str, is_code: &[bool], from: usize) -> Option<usize> {
    let bytes = text.bytes().enumerate().skip(from);
    let mut bytes = bytes.filter(|&(at, byte)| is_code[at] && !byte.is_ascii_whitespace());
    bytes.next().map(|(at, _)| at)
}

/// The byte at which a line and column (from one) begin.
pub fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let rest = &text[start..];
    let end = rest.find('\n').unwrap_or(rest.len());
    let skipped = (column.max(1) - 1) as usize;
    let at = rest[..end]
        .char_indices()
        .map(|(at, _)| at)
        .chain([end])
        .nth(skipped)?;
    Some(start + at)
}

/// The name that begins at a byte.
pub fn name_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
    &rest[..end]
}

/// The column (from one) of the bracket that ends the only call of a function in a line; none if there are several.
pub fn call_end(line: &str, name: &str) -> Option<u32> {
    let is_code = code(line);
    let mut found = None;
    for (at, _) in line.match_indices(name) {
        let alone = !line[..at].chars().next_back().is_some_and(is_name);
        let Some(open) = next(line, &is_code, at + name.len()) else {
            continue;
        };
        if !alone || !is_code[at] || !line[open..].starts_with('(') {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some(closing(line, &is_code, open)?);
    }
    Some(line[..found?].chars().count() as u32 + 1)
}

/// The column at which the statement begins that a column of a line is in, as far as the line tells.
pub fn statement(line: &str, column: u32) -> u32 {
    let is_code = code(line);
    let end = offset(line, 1, column).unwrap_or(0);
    let mut start = 0;
    for (at, byte) in line.bytes().enumerate().take(end) {
        if is_code[at] && matches!(byte, b';' | b'{' | b'}') {
            start = at + 1;
        }
    }
    let mut at = next(line, &is_code, start)
        .filter(|&at| at <= end)
        .unwrap_or(end);
    // Behind the condition of a branch another statement begins.
    while matches!(
        name_at(line, at),
        "if" | "while" | "for" | "switch" | "else" | "do"
    ) {
        let word = name_at(line, at);
        let Some(after) = next(line, &is_code, at + word.len()) else {
            break;
        };
        let inner = match line[after..].starts_with('(') && !matches!(word, "else" | "do") {
            true => {
                closing(line, &is_code, after).and_then(|close| next(line, &is_code, close + 1))
            }
            false => Some(after),
        };
        match inner.filter(|&inner| inner <= end) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    line[..at].chars().count() as u32 + 1
}

/// The column of the keyword of the loop that a column of a line is in.
pub fn loop_keyword(line: &str, column: u32) -> Option<u32> {
    let is_code = code(line);
    let end = offset(line, 1, column).unwrap_or(line.len());
    let mut found = None;
    for (at, _) in line.char_indices() {
        let begins = is_code[at] && !line[..at].chars().next_back().is_some_and(is_name);
        if begins && matches!(name_at(line, at), "for" | "while") {
            // The last one before the column, or the first behind it.
            if at <= end || found.is_none() {
                found = Some(at);
            }
        }
    }
    Some(line[..found?].chars().count() as u32 + 1)
}

/// Is a sentence about values an expression of C? Not if it speaks of what they were before.
pub fn is_expression(text: &str) -> bool {
    let is_code = code(text);
    let strange =
        |letter: char| !letter.is_ascii() || matches!(letter, '@' | '$' | '#' | '`' | ';' | '{');
    let words = (0..text.len()).filter(|&at| text.is_char_boundary(at) && is_code[at]);
    let mut words = words.filter(|&at| !text[..at].chars().next_back().is_some_and(is_name));
    !text.chars().any(strange)
        && !words.any(|at| matches!(name_at(text, at), "old" | "in" | "forall" | "exists"))
}

/// The names that stand in a text.
pub fn names(text: &str) -> Vec<&str> {
    let words = text.split(|letter| !is_name(letter));
    let begins = |word: &&str| word.starts_with(|letter: char| !letter.is_ascii_digit());
    words.filter(begins).collect()
}

/// The macros that texts define as more than a number.
pub fn macros<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let defined = lines.filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?.trim_start();
        let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let number = |letter: char| letter.is_ascii_alphanumeric() || " \t()-+.".contains(letter);
        let (name, body) = rest.split_at(end);
        let body = body.trim();
        let plain = !body.starts_with('(') || body.ends_with(')');
        let digits = body
            .trim_start_matches(['(', '-', '+', ' '])
            .starts_with(|letter: char| letter.is_ascii_digit());
        (!(plain && digits && body.chars().all(number))).then_some(name)
    });
    defined.collect()
}

#[cfg(test)]
mod tests {
    use super::{call_end, is_expression, loop_keyword, statement};

    #[test]
    fn calls_end_at_their_bracket() {
        assert_eq!(call_end("  int n = get(a(\")\"), 1);", "get"), Some(24));
        assert_eq!(call_end("get(); get();", "get"), None);
        assert_eq!(call_end("forget(); // get()", "get"), None);
    }

    #[test]
    fn statements_begin_where_they_do() {
        assert_eq!(statement("    if (a[1]) b[2] = 3;", 15), 15);
        assert_eq!(statement("    if (a[1]) b[2] = 3;", 9), 5);
        assert_eq!(statement("x = 1; y = z[9];", 13), 8);
        assert_eq!(statement("    return a[i];", 13), 5);
    }

    #[test]
    fn loops_have_their_keyword() {
        assert_eq!(loop_keyword("    while (i < n) {", 5), Some(5));
        assert_eq!(loop_keyword("  for (int i = 0; i < n; i++)", 21), Some(3));
        assert_eq!(loop_keyword("  formula(x);", 3), None);
    }

    #[test]
    fn expressions_are_of_c() {
        assert!(is_expression("(unsigned)s <= 1000"));
        assert!(!is_expression("old(s) <= s"));
        assert!(!is_expression("s ∈ {1, 2}"));
    }
}
