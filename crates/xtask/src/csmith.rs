//! Programs from csmith, taken apart just enough to put something in.
//!
//! csmith writes one declaration on a line, functions that begin with a line `{`, and a `main` that ends by
//! printing a checksum. A program whose shape is another is not used.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::random::Random;

/// Where csmith's headers are.
pub const INCLUDE: &str = "/usr/include/csmith";

/// The name of the input in the programs that are written.
pub const INPUT: &str = "planted_input";

const PRELUDE: &str = "\
#include <limits.h>
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static unsigned planted_input, planted_sink;
";

const ESCAPE: &str = "\
static int *planted_escape(int *outer, unsigned key) {
    int inner = 3, *at = key == 1 ? &inner : outer;
    return at;
}
";

/// A program that csmith wrote.
#[derive(Clone, Debug)]
pub struct Program {
    lines: Vec<String>,
    /// The first line of each function's body, `main` not among them.
    bodies: Vec<usize>,
    /// Where `main` has initialised itself.
    start: usize,
    /// The line that prints the checksum.
    end: usize,
    /// Integers that can be assigned, with their types.
    variables: Vec<(String, String)>,
}

/// How a program ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// It prints its checksum.
    Print,
    /// It compares its checksum with the one for each input.
    Compare([u32; 4]),
    /// It does nothing with it.
    Silent,
}

/// What is written into a program.
#[derive(Clone, Debug)]
pub struct Change {
    /// The variable that is changed by the input before the program begins.
    pub perturbed: Option<usize>,
    /// Code that is planted.
    pub planted: Option<Planted>,
    /// How the program ends.
    pub ending: Ending,
}

/// Code that is planted.
#[derive(Clone, Copy, Debug)]
pub struct Planted {
    /// The code.
    pub code: &'static str,
    /// The function that it stands in; the end of `main`, if there is no such function.
    pub place: usize,
    /// The variable that its key depends on.
    pub variable: Option<usize>,
    /// The bits of the input that its key depends on: 0, 1 or 3.
    pub mask: u8,
}

impl Program {
    /// Asks csmith, which leaves a file in `folder`; the seed decides everything.
    pub fn generate(seed: u64, folder: &Path) -> Result<Self> {
        let mut random = Random::new(seed, 0);
        let mut options = vec![
            "--no-argc",
            "--concise",
            "--no-volatile-pointers",
            "--max-array-dim",
            "2",
        ];
        for (option, values) in [
            ("--max-funcs", ["1", "2", "4", "6"]),
            ("--max-block-depth", ["1", "2", "3", "4"]),
            ("--max-block-size", ["2", "3", "3", "4"]),
            ("--max-expr-complexity", ["2", "3", "4", "5"]),
            ("--max-array-len-per-dim", ["2", "3", "4", "5"]),
        ] {
            options.extend([option, *random.pick(&values)]);
        }
        for option in [
            "--no-unions",
            "--no-bitfields",
            "--no-longlong",
            "--no-jumps",
        ] {
            if random.below(4) == 0 {
                options.push(option);
            }
        }
        let seed = (random.next() >> 33).to_string();
        let output = Command::new("csmith")
            .args(options)
            .args(["--seed", &seed])
            .current_dir(folder)
            .output()
            .context("cannot run csmith (`./x setup` installs it)")?;
        if !output.status.success() {
            bail!("csmith failed for seed {seed}");
        }
        Self::read(&String::from_utf8(output.stdout).context("csmith writes ASCII")?)
    }

    /// Takes a program apart.
    pub fn read(text: &str) -> Result<Self> {
        let lines: Vec<String> = text
            .lines()
            .filter(|line| !line.starts_with("//"))
            .map(str::to_owned)
            .collect();
        let find = |what: &str| {
            lines
                .iter()
                .position(|line| line.trim_start().starts_with(what))
        };
        let (Some(main), Some(start), Some(end)) = (
            find("int main (void)"),
            find("crc32_gentab();"),
            find("platform_main_end("),
        ) else {
            bail!("a main function of another shape");
        };
        let bodies = lines[..main]
            .iter()
            .enumerate()
            .filter(|(_, line)| line.trim_end() == "{")
            .map(|(index, _)| index)
            .collect();
        let variables = lines[..main]
            .iter()
            .filter_map(|line| variable(line))
            .collect();
        Ok(Program {
            lines,
            bodies,
            start,
            end,
            variables,
        })
    }

    /// How many functions there are besides `main`.
    pub fn functions(&self) -> usize {
        self.bodies.len()
    }

    /// How many variables can be perturbed or used as keys.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The text of the program with a change.
    pub fn text(&self, change: &Change) -> String {
        let mut text = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            if index == self.end {
                if let Some(planted) = &change.planted
                    && planted.place >= self.bodies.len()
                {
                    text.push_str(&self.block(planted));
                }
                text.push_str(&ending(&change.ending));
                continue;
            }
            text.push_str(line.trim_end());
            text.push('\n');
            if line.contains("#include \"csmith.h\"") {
                text.push_str(PRELUDE);
                if change
                    .planted
                    .is_some_and(|planted| planted.code.contains("planted_escape"))
                {
                    text.push_str(ESCAPE);
                }
            }
            if index == self.start {
                text.push_str(&format!("    {INPUT} = __VERIFIER_nondet_uint() % 4;\n"));
                if let Some(index) = change.perturbed {
                    let (name, ty) = &self.variables[index];
                    text.push_str(&format!("    {name} = ({ty})({name} ^ {INPUT});\n"));
                }
            }
            if let Some(planted) = &change.planted
                && self.bodies.get(planted.place) == Some(&index)
            {
                text.push_str(&self.block(planted));
            }
        }
        text
    }

    /// Planted code as a block.
    fn block(&self, planted: &Planted) -> String {
        let Planted { code, mask, .. } = planted;
        let depends = match planted.variable {
            Some(index) => format!(" + (unsigned){}", self.variables[index].0),
            None => String::new(),
        };
        format!("    {{ unsigned key = (({INPUT} & {mask}){depends}) % 4; {code} }}\n")
    }
}

fn ending(ending: &Ending) -> String {
    const SUM: &str = "(uint32_t)(crc32_context ^ 0xFFFFFFFFUL)";
    match ending {
        Ending::Print => format!("    printf(\"checksum %X\\n\", (unsigned){SUM});\n"),
        Ending::Compare([a, b, c, d]) => format!(
            "    {{ static const uint32_t expected[4] = {{0x{a:X}u, 0x{b:X}u, 0x{c:X}u, 0x{d:X}u}};\n      \
             if ({SUM} != expected[{INPUT}]) reach_error(); }}\n"
        ),
        Ending::Silent => String::new(),
    }
}

/// `static int32_t g_2 = 7L;` is a variable that can be assigned.
fn variable(line: &str) -> Option<(String, String)> {
    let words: Vec<&str> = line.strip_prefix("static ")?.split_whitespace().collect();
    let [ty, name, "=", _] = words.as_slice() else {
        return None;
    };
    let integer = ty.strip_suffix("_t").is_some_and(|ty| {
        ty.strip_prefix("u")
            .unwrap_or(ty)
            .strip_prefix("int")
            .is_some_and(|width| width.parse::<u8>().is_ok())
    });
    (integer && name.starts_with("g_") && !name.contains('['))
        .then(|| ((*name).to_owned(), (*ty).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Change, Ending, Planted, Program};

    const TEXT: &str = "\
// Options: none
#include \"csmith.h\"
static int32_t g_2 = 1L;
static const int32_t g_3 = 2L;
static int32_t g_4[2] = {1L,2L};
static int32_t *g_5 = &g_2;
static uint8_t g_6 = 0x8EL;
static int32_t func_1(void);
static int32_t func_1(void)
{ 
    return g_2;
}
int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, \"g_2\", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
";

    fn written(change: &Change) -> String {
        let text = Program::read(TEXT).expect("csmith's shape").text(change);
        let (_, body) = text
            .split_once("static int32_t func_1(void)\n")
            .expect("a function");
        body.to_owned()
    }

    #[test]
    fn variables_are_plain_integers_that_can_be_assigned() {
        let program = Program::read(TEXT).expect("csmith's shape");
        assert_eq!((program.functions(), program.variables()), (1, 2));
    }

    #[test]
    fn checksums_are_compared_by_input() {
        let change = Change {
            perturbed: Some(1),
            planted: None,
            ending: Ending::Compare([1, 2, 3, 0xABCD]),
        };
        assert_eq!(
            written(&change),
            "\
{
    return g_2;
}
int main (void)
{
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    planted_input = __VERIFIER_nondet_uint() % 4;
    g_6 = (uint8_t)(g_6 ^ planted_input);
    func_1();
    transparent_crc(g_2, \"g_2\", print_hash_value);
    { static const uint32_t expected[4] = {0x1u, 0x2u, 0x3u, 0xABCDu};
      if ((uint32_t)(crc32_context ^ 0xFFFFFFFFUL) != expected[planted_input]) reach_error(); }
    return 0;
}
"
        );
    }

    #[test]
    fn code_is_planted_in_functions_and_at_the_end() {
        let plant = |place| {
            written(&Change {
                perturbed: None,
                planted: Some(Planted {
                    code: "planted_sink += key;",
                    place,
                    variable: Some(0),
                    mask: 1,
                }),
                ending: Ending::Silent,
            })
        };
        let block = "    { unsigned key = ((planted_input & 1) + (unsigned)g_2) % 4; planted_sink += key; }\n";
        assert!(plant(0).starts_with(&format!("{{\n{block}    return g_2;\n")));
        assert!(plant(1).ends_with(&format!("print_hash_value);\n{block}    return 0;\n}}\n")));
    }

    #[test]
    fn other_shapes_are_refused() {
        assert!(Program::read("int main(void) { return 0; }").is_err());
    }
}
