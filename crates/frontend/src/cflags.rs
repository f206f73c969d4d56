//! What the caller's flags for clang mean here.
//!
//! Flags come from build systems, and most of them change nothing that matters: folders, macros, warnings,
//! levels of optimisation. Some change what a program means. Those that are supported are passed on, and the
//! ledger names them; the others are refused with a sentence, because a flag that is dropped in silence
//! makes a verdict about another program.

use crate::error::Error;
use crate::options::DataModel;

/// Flags that were looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// What clang is given.
    pub arguments: Vec<String>,
    /// The data model that they ask for.
    pub data_model: Option<DataModel>,
    /// Does signed arithmetic wrap?
    pub wraps: bool,
    /// Flags that may change what the program means, for the ledger.
    pub followed: Vec<String>,
}

/// What becomes of a flag.
#[derive(Clone, Copy)]
enum Fate {
    /// It changes nothing that matters.
    Plain,
    /// As before, and the next word belongs to it.
    PlainWithValue,
    /// It is for what comes after the compiler, or for what is chosen otherwise.
    Dropped,
    /// Sizes of types.
    Sizes(DataModel),
    /// Signed arithmetic wraps.
    Wraps(bool),
    /// It is followed.
    Followed,
    /// It cannot be followed.
    Refused(&'static str),
}

const TARGET: &str = "programs are verified for x86 Linux, with sizes by --data-model";
const FLOATS: &str = "floats are those of IEEE, without liberties";
const LAYOUT: &str =
    "models of the C library are compiled without it, and would disagree with the program";
const CHECKS: &str = "checks are chosen by --check";
const OUTPUT: &str = "it makes clang write something else than the program";
const INSIDE: &str = "it reaches into clang, and nobody knows what the verdict would rest on";
const INITIAL: &str = "variables without an initialiser have any value";

/// Words by how they begin; the first row that fits counts.
const ROWS: &[(&str, Fate)] = &[
    ("-m32", Fate::Sizes(DataModel::Ilp32)),
    ("-m64", Fate::Sizes(DataModel::Lp64)),
    ("-mx32", Fate::Refused(TARGET)),
    ("-m16", Fate::Refused(TARGET)),
    ("--target", Fate::Refused(TARGET)),
    ("-target", Fate::Refused(TARGET)),
    ("-arch", Fate::Refused(TARGET)),
    ("-mabi", Fate::Refused(TARGET)),
    ("-mbig-endian", Fate::Refused(TARGET)),
    ("-EB", Fate::Refused(TARGET)),
    ("-mlong-double", Fate::Refused(LAYOUT)),
    ("-malign-double", Fate::Refused(LAYOUT)),
    ("-mms-bitfields", Fate::Refused(LAYOUT)),
    ("-fshort-wchar", Fate::Refused(LAYOUT)),
    ("-fpack-struct", Fate::Refused(LAYOUT)),
    ("-fshort-double", Fate::Refused(LAYOUT)),
    ("-mregparm", Fate::Refused(LAYOUT)),
    ("-mrtd", Fate::Refused(LAYOUT)),
    ("-msoft-float", Fate::Refused(FLOATS)),
    ("-mno-sse", Fate::Refused(FLOATS)),
    ("-mno-x87", Fate::Refused(FLOATS)),
    ("-mno-80387", Fate::Refused(FLOATS)),
    ("-mfpmath=387", Fate::Refused(FLOATS)),
    ("-Ofast", Fate::Refused(FLOATS)),
    ("-ffast-math", Fate::Refused(FLOATS)),
    ("-ffinite-math-only", Fate::Refused(FLOATS)),
    ("-funsafe-math-optimizations", Fate::Refused(FLOATS)),
    ("-fassociative-math", Fate::Refused(FLOATS)),
    ("-freciprocal-math", Fate::Refused(FLOATS)),
    ("-fapprox-func", Fate::Refused(FLOATS)),
    ("-fno-signed-zeros", Fate::Refused(FLOATS)),
    ("-fno-honor-", Fate::Refused(FLOATS)),
    ("-frounding-math", Fate::Refused(FLOATS)),
    ("-ffp-model=", Fate::Refused(FLOATS)),
    ("-ffp-contract=off", Fate::Plain),
    ("-ffp-contract", Fate::Refused(FLOATS)),
    ("-ffp-eval-method", Fate::Refused(FLOATS)),
    ("-fexcess-precision", Fate::Refused(FLOATS)),
    ("-fdenormal-fp-math", Fate::Refused(FLOATS)),
    ("-mdaz-ftz", Fate::Refused(FLOATS)),
    ("-fsingle-precision-constant", Fate::Refused(FLOATS)),
    ("-cl-", Fate::Refused(FLOATS)),
    ("-fwrapv-pointer", Fate::Plain),
    ("-fno-wrapv-pointer", Fate::Plain),
    ("-fwrapv", Fate::Wraps(true)),
    ("-fno-wrapv", Fate::Wraps(false)),
    ("-fno-strict-overflow", Fate::Wraps(true)),
    ("-fstrict-overflow", Fate::Wraps(false)),
    (
        "-ftrapv",
        Fate::Refused("an overflow is found by --check overflow, and wraps otherwise"),
    ),
    ("-fsanitize", Fate::Refused(CHECKS)),
    ("-fno-sanitize", Fate::Refused(CHECKS)),
    ("-fbounds-safety", Fate::Refused(CHECKS)),
    ("-ftrivial-auto-var-init=uninitialized", Fate::Plain),
    ("-ftrivial-auto-var-init", Fate::Refused(INITIAL)),
    ("-finstrument-functions", Fate::Refused(OUTPUT)),
    ("-fprofile", Fate::Refused(OUTPUT)),
    ("-fcoverage", Fate::Refused(OUTPUT)),
    ("--coverage", Fate::Refused(OUTPUT)),
    ("-fxray", Fate::Refused(OUTPUT)),
    ("-pg", Fate::Refused(OUTPUT)),
    ("-fsyntax-only", Fate::Refused(OUTPUT)),
    ("-emit", Fate::Refused(OUTPUT)),
    ("-E", Fate::Refused(OUTPUT)),
    ("-S", Fate::Refused(OUTPUT)),
    ("-o", Fate::Refused(OUTPUT)),
    ("-###", Fate::Refused(OUTPUT)),
    ("--analyze", Fate::Refused(OUTPUT)),
    ("-save-temps", Fate::Refused(OUTPUT)),
    (
        "-x",
        Fate::Refused("the language is that of the file's name"),
    ),
    ("-Xclang", Fate::Refused(INSIDE)),
    ("-Xassembler", Fate::Refused(INSIDE)),
    ("-Xlinker", Fate::Refused(INSIDE)),
    ("-Xpreprocessor", Fate::Refused(INSIDE)),
    ("-mllvm", Fate::Refused(INSIDE)),
    ("-cc1", Fate::Refused(INSIDE)),
    ("-fplugin", Fate::Refused(INSIDE)),
    ("-fpass-plugin", Fate::Refused(INSIDE)),
    ("-fembed-bitcode", Fate::Refused(INSIDE)),
    ("--config", Fate::Refused(INSIDE)),
    (
        "@",
        Fate::Refused("flags in a file are not looked at; give them as they are"),
    ),
    ("-MF", Fate::PlainWithValue),
    ("-MT", Fate::PlainWithValue),
    ("-MQ", Fate::PlainWithValue),
    ("-MD", Fate::Dropped),
    ("-MMD", Fate::Dropped),
    ("-MP", Fate::Dropped),
    ("-M", Fate::Refused(OUTPUT)),
    ("-c", Fate::Dropped),
    ("-O", Fate::Dropped),
    ("-g", Fate::Dropped),
    ("-flto", Fate::Dropped),
    ("-l", Fate::Dropped),
    ("-Wl,", Fate::Dropped),
    ("-W", Fate::Plain),
    ("-w", Fate::Plain),
    ("-pedantic", Fate::Plain),
    ("-pipe", Fate::Plain),
    ("-pthread", Fate::Plain),
    ("-v", Fate::Plain),
    ("-fPI", Fate::Plain),
    ("-fpi", Fate::Plain),
    ("-fbracket-depth", Fate::Plain),
    ("-fdiagnostics", Fate::Plain),
    ("-fno-diagnostics", Fate::Plain),
    ("-fcolor", Fate::Plain),
    ("-fno-color", Fate::Plain),
    ("-fmessage-length", Fate::Plain),
    ("-fvisibility", Fate::Plain),
    ("-fstack-", Fate::Plain),
    ("-fno-stack-", Fate::Plain),
    ("-fno-strict-aliasing", Fate::Plain),
    ("-fstrict-aliasing", Fate::Plain),
    ("-fno-builtin", Fate::Plain),
    ("-fbuiltin", Fate::Plain),
    ("-fdelete-null-pointer-checks", Fate::Plain),
    ("-fno-delete-null-pointer-checks", Fate::Plain),
    ("-fno-omit-frame-pointer", Fate::Plain),
    ("-fomit-frame-pointer", Fate::Plain),
    ("-ffunction-sections", Fate::Plain),
    ("-fdata-sections", Fate::Plain),
];

/// Flags with a folder, file or macro, joined or as the next word.
const VALUED: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-F",
    "-L",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-iprefix",
    "-iwithprefixbefore",
    "-iwithprefix",
    "--sysroot",
];

/// Looks at flags.
pub fn look_at(words: &[String]) -> Result<Flags, Error> {
    let mut flags = Flags::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match fate(word) {
            Fate::Plain => flags.arguments.push(word.clone()),
            Fate::PlainWithValue => {
                flags.arguments.push(word.clone());
                flags.arguments.extend(words.next().cloned());
            }
            Fate::Dropped => {}
            Fate::Sizes(model) => {
                if flags.data_model.is_some_and(|before| before != model) {
                    return Err(Error::usage("--cflags has both -m32 and -m64"));
                }
                flags.data_model = Some(model);
            }
            Fate::Wraps(wraps) => flags.wraps = wraps,
            Fate::Followed => {
                flags.arguments.push(word.clone());
                flags.followed.push(word.clone());
            }
            Fate::Refused(why) => {
                return Err(Error::usage(format!(
                    "--cflags {word} is not supported: {why}"
                )));
            }
        }
    }
    if flags.wraps {
        flags.arguments.push("-fwrapv".to_owned());
    }
    Ok(flags)
}

fn fate(word: &str) -> Fate {
    if let Some(flag) = VALUED.iter().find(|flag| word.starts_with(*flag)) {
        return match word == *flag {
            true => Fate::PlainWithValue,
            false => Fate::Plain,
        };
    }
    if !word.starts_with(['-', '@']) {
        return Fate::Refused("files stand on the command line");
    }
    if word == "-" {
        return Fate::Refused("files stand on the command line");
    }
    // One letter means that flag alone, except where its value is joined to it.
    let joined =
        |flag: &str| flag.len() != 2 || ["-O", "-g", "-l", "-W", "-o", "-x"].contains(&flag);
    let row = ROWS.iter().find(|(flag, _)| match joined(flag) {
        true => word.starts_with(flag),
        false => word == *flag,
    });
    row.map_or(Fate::Followed, |&(_, fate)| fate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> Result<Flags, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        look_at(&words).map_err(|error| error.message)
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        for text in [
            "--target=i386-linux-gnu",
            "-target aarch64-linux-gnu",
            "-mx32",
            "-ftrapv",
            "-ffast-math",
            "-Ofast",
            "-fshort-wchar",
            "-mlong-double-64",
            "-fsanitize=undefined",
            "-fno-sanitize=all",
            "-Xclang -O3",
            "-mllvm -x",
            "-S",
            "-E",
            "-M",
            "-o f",
            "-x c++",
            "other.c",
            "@flags",
            "-ftrivial-auto-var-init=zero",
            "-m32 -m64",
            "-frounding-math",
            "-fpack-struct=1",
            "-mno-sse2",
            "-ffp-contract=fast",
        ] {
            let message = judged(text).expect_err(text);
            assert!(message.starts_with("--cflags "), "{text}: {message}");
        }
    }

    #[test]
    fn what_changes_nothing_goes_through() {
        for (text, arguments) in [
            (
                "-I include -DX=1 -U Y -include a.h",
                "-I include -DX=1 -U Y -include a.h",
            ),
            (
                "-Wall -Wextra -w -pedantic -pthread -fPIC",
                "-Wall -Wextra -w -pedantic -pthread -fPIC",
            ),
            ("-O2 -g3 -c -MD -lm -Wl,-z,now", ""),
            ("-D -m32", "-D -m32"),
        ] {
            let flags = judged(text).expect(text);
            assert_eq!(flags.arguments.join(" "), arguments);
            assert_eq!(flags.followed, Vec::<String>::new());
        }
    }

    #[test]
    fn what_means_something_is_told() {
        let flags =
            judged("-m32 -std=gnu89 -funsigned-char -fno-strict-overflow").expect("all are known");
        assert_eq!(flags.data_model, Some(DataModel::Ilp32));
        assert!(flags.wraps);
        assert_eq!(flags.followed, ["-std=gnu89", "-funsigned-char"]);
        assert_eq!(
            flags.arguments,
            ["-std=gnu89", "-funsigned-char", "-fwrapv"]
        );
        assert!(
            !judged("-fwrapv -fno-wrapv")
                .expect("the last one counts")
                .wraps
        );
    }
}
