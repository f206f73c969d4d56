//! The files of `lib/tests/programs/`: blocks of statements, each after a line that says what it is
//! about.
//!
//! ```text
//! /// holds: strlen strnlen              /// violates deref: strlen wcslen
//! {                                      {
//!     sk_assert(strlen("abc") == 3);         FUNCTION(NULL);
//!     sk_assert(strnlen("abc", 2) == 2); }
//! }
//! ```
//!
//! A line `///     more names` goes on with the names. A block with the word `FUNCTION` is one
//! block for each name, which takes the word's place. A block that violates is about one function:
//! it has one name, or that word.

use std::fmt::Write as _;

/// What is claimed of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// No run violates anything.
    Holds,
    /// Some run violates this check.
    Violates(String),
}

/// A block of statements.
pub struct Block {
    /// Where it stands.
    pub line: usize,
    /// What is claimed of it.
    pub claim: Claim,
    /// The functions that it is about.
    pub models: Vec<String>,
}

/// Stands for the function's name.
const FUNCTION: &str = "FUNCTION";

/// A file's blocks, and the program that they make: its `main` chooses one of the functions
/// `block_0`, `block_1` and so on.
pub fn parse(text: &str) -> (Vec<Block>, String) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut program = String::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let Some(head) = line.strip_prefix("/// ") else {
            program.push_str(line);
            program.push('\n');
            continue;
        };
        let mut head = head.to_owned();
        while let Some((_, more)) = lines.next_if(|(_, line)| line.starts_with("///  ")) {
            head.push_str(more.trim_start_matches('/'));
        }
        let (claim, models) =
            read_head(&head).unwrap_or_else(|| panic!("line {}: {head} is no claim", number + 1));
        let mut body = String::new();
        for (_, line) in lines.by_ref() {
            body.push_str(line);
            body.push('\n');
            if line == "}" {
                break;
            }
        }
        let each = body.contains(FUNCTION);
        assert!(
            each || claim == Claim::Holds || models.len() == 1,
            "line {}: a violation is one function's",
            number + 1
        );
        let groups = if each {
            models.into_iter().map(|model| vec![model]).collect()
        } else {
            vec![models]
        };
        for models in groups {
            let index = blocks.len();
            let body = body.replace(FUNCTION, &models[0]);
            write!(program, "static void block_{index}(void)\n{body}")
                .expect("strings are writable");
            blocks.push(Block {
                line: number + 1,
                claim: claim.clone(),
                models,
            });
        }
    }
    program.push_str("int main(void) {\n    switch (sk_nondet_int()) {\n");
    for index in 0..blocks.len() {
        writeln!(program, "    case {index}: block_{index}(); break;")
            .expect("strings are writable");
    }
    program.push_str("    }\n    return 0;\n}\n");
    (blocks, program)
}

/// `holds: names` or `violates check: names`.
fn read_head(head: &str) -> Option<(Claim, Vec<String>)> {
    let (claim, models) = head.split_once(": ")?;
    let claim = match claim.split_once(' ') {
        None if claim == "holds" => Claim::Holds,
        Some(("violates", check)) => Claim::Violates(check.to_owned()),
        _ => return None,
    };
    let models = models.split_whitespace().map(str::to_owned).collect();
    Some((claim, models))
}
