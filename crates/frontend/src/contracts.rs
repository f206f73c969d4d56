//! Contracts: what a function requires, ensures and assigns.
//!
//! ```text
//! clang -E ─▶ text ─ read ─▶ contracts ─ write ─▶ text with two more functions for each ─▶ clang
//! ```
//!
//! `sk__check__f` calls `f` as every caller may that keeps to what it requires, and claims what it ensures; `sk__call__f` stands for `f`
//! wherever it is called ([`redirect`]). Both are C in the same file, so that a condition means what it
//! means in the program. That nothing else was changed is judged where the program begins
//! (`import::frame`). `docs/why/contracts.md` tells why it goes like this.

mod conditions;
mod effects;
mod lex;
mod read;
mod stands;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ir::syntax::{Callee, Const, Func, Op, Operand};

use crate::clang::{self, Language};
use crate::error::Error;
use crate::ffi::{Linkage, Meta, Module, Val, ValKind};
use crate::options::Options;

pub use effects::asks;

/// What the names begin with of everything that is written for contracts.
pub const OURS: &str = "sk__";
/// The function that checks another one.
pub const CHECK: &str = "sk__check__";
/// The function that stands for another one.
pub const CALL: &str = "sk__call__";
/// What a function is called by the one that checks it.
const BODY: &str = "sk__body__";
/// Where a function may change something.
pub const FRAME_AT: &str = "sk__frame_at__";
/// How many bytes there.
pub const FRAME_BYTES: &str = "sk__frame_bytes__";
/// Can the contract of a function stand for it? Answered when everything is linked.
const STANDS: &str = "sk__stands__";
/// Mentions a function that is hidden in its file, which is compiled only if it is mentioned.
const KEEP: &str = "sk__mention";
/// Gives bytes any value, as far as they belong to an object.
const FREE: &str = "sk__anything";

/// What reports call a function that was written here: `f.contract` checks `f`, `f.call` stands for it.
pub fn shown(name: &str) -> Option<String> {
    let check = name
        .strip_prefix(CHECK)
        .map(|name| format!("{name}.contract"));
    check.or_else(|| name.strip_prefix(CALL).map(|name| format!("{name}.call")))
}

/// Was a function written here, by the name that reports have for it or by its own?
pub fn is_ours(name: &str) -> bool {
    name.starts_with(OURS) || name.ends_with(".contract") || name.ends_with(".call")
}

/// The name in the source of a function that is checked.
pub fn plain(name: &str) -> &str {
    name.strip_prefix(CHECK).unwrap_or(name)
}

/// A file that was written anew, and goes when it is not needed any more.
pub struct Rewritten {
    /// Where it is.
    pub path: PathBuf,
}

impl Drop for Rewritten {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Words that only contracts have.
const WORDS: [&str; 7] = [
    "sk_requires",
    "sk_ensures",
    "sk_assigns",
    "sk_type_invariant",
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
];

/// A preprocessed file with its contracts as C, and what it says of functions that other files know; none if it has no contract.
pub fn rewrite(
    file: &Path,
    options: &Options,
    lib: Option<&Path>,
) -> Result<Option<(String, Vec<Said>)>, Error> {
    if clang::language(file)? != Language::Source {
        return Ok(None);
    }
    let text = clang::preprocess(file, options, lib)?;
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Ok(None);
    }
    if !clang::is_c(file) {
        return Err(Error::usage(format!(
            "{}: contracts are supported in C, not in C++",
            file.display()
        )));
    }
    let tokens = lex::tokens(&text);
    let lines = Lines::of(&text);
    let say = |(at, sentence): read::Complaint| {
        let (file, line) = lines.place(at);
        Error::input(format!("{file}:{line}: {sentence}"))
    };
    let mut found = read::read(&tokens).map_err(say)?;
    once(&mut found).map_err(say)?;
    for invariant in &found.invariants {
        effects::complain(&invariant.condition).map_err(say)?;
    }
    for (_, words) in found
        .contracts
        .iter()
        .flat_map(|contract| &contract.clauses)
    {
        effects::complain(words).map_err(say)?;
    }
    let visible = found.contracts.iter().filter(|contract| !contract.hidden);
    let said = visible.map(|contract| Said {
        name: contract.name.to_owned(),
        text: contract.text(),
        place: lines.place(contract.place).0.to_owned(),
    });
    let said: Vec<Said> = said.collect();
    let written = write::write(&text, &found, &tag(file)).map_err(say)?;
    Ok(Some((written, said)))
}

/// What a file says of a function that other files may call or define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// The function.
    pub name: String,
    /// Its parameters and clauses.
    pub text: String,
    /// The file that says it: a header, or the file itself.
    pub place: String,
}

/// Complains if two files say different things of a function.
pub fn agree<'s>(said: impl IntoIterator<Item = &'s Said>) -> Result<(), Error> {
    let mut seen: BTreeMap<&str, &Said> = BTreeMap::new();
    for said in said {
        let first = *seen.entry(&said.name).or_insert(said);
        if first.text != said.text {
            return Err(Error::input(format!(
                "`{}` has another contract in {} than in {}: write it once, in a header",
                said.name, said.place, first.place
            )));
        }
    }
    Ok(())
}

/// What tells functions that are hidden in one file from those of another.
fn tag(file: &Path) -> String {
    let digest = file
        .to_string_lossy()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("__in_{digest:016x}")
}

/// A function that is declared twice has its contract once.
fn once(found: &mut read::Found<'_>) -> Result<(), read::Complaint> {
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut wrong = None;
    found.contracts.retain(|contract| {
        let clauses = contract.text();
        match seen.iter().find(|(name, _)| name == contract.name) {
            None => {
                seen.push((contract.name.to_owned(), clauses));
                true
            }
            Some((_, first)) => {
                if *first != clauses {
                    let text = format!("`{}` has another contract before", contract.name);
                    wrong.get_or_insert((contract.place, text));
                }
                false
            }
        }
    });
    wrong.map_or(Ok(()), Err)
}

/// Writes a text to a file of its own.
pub fn keep(text: &str) -> Result<Rewritten, Error> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("selkie-{}-{number}.i", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text)
        .map_err(|error| Error::usage(format!("{}: {}", path.display(), clang::plain(&error))))?;
    Ok(Rewritten { path })
}

/// Calls of functions that have a contract become calls of what stands for them. Which these are.
pub fn redirect(module: &Module<'_>, target: &str) -> Result<BTreeSet<String>, Error> {
    effects::judge(module)?;
    let mentions = module.function(KEEP).map_or_else(Vec::new, Val::users);
    for mention in mentions
        .into_iter()
        .filter(|user| user.value_kind() == ValKind::Instruction)
    {
        mention.erase();
    }
    let mut replaced = BTreeSet::new();
    let trios = trios(module);
    stands::answer(module, &trios);
    for trio in &trios {
        let name = &trio.name;
        let called = format!("{BODY}{name}");
        let body = trio.check.and_then(|check| {
            let blocks = check.blocks().into_iter();
            let insts = blocks.flat_map(|block| block.instructions());
            let mut calls = insts.filter(|inst| inst.is_any_call());
            calls.find_map(|call| {
                call.called_function()
                    .filter(|func| func.name().starts_with(&called))
            })
        });
        let tag = body.map_or_else(String::new, |body| body.name()[called.len()..].to_owned());
        if trio.func.is_used() {
            refuse_addresses(trio.func, name)?;
            if name != target || is_called_elsewhere(trio.func) {
                replaced.insert(name.to_owned());
            }
            trio.func.replace_with(trio.call);
        }
        if let Some(body) = body {
            body.replace_with(trio.func);
        }
        // Where the program begins, what is assigned is found by its name.
        let is_target = trio
            .check
            .is_some_and(|check| check.name() == format!("{CHECK}{target}"));
        for table in [FRAME_AT, FRAME_BYTES].map(|prefix| format!("{prefix}{name}")) {
            let tagged = module.global(&format!("{table}{tag}"));
            if let Some(tagged) = tagged.filter(|_| is_target && !tag.is_empty()) {
                if let Some(other) = module.global(&table) {
                    other.set_name(&format!("{table}__other"));
                }
                tagged.set_name(&table);
            }
        }
    }
    Ok(replaced)
}

/// A function that has a contract, and what was written for it.
struct Trio<'c> {
    /// Its name in the source.
    name: String,
    func: Val<'c>,
    check: Option<Val<'c>>,
    call: Val<'c>,
}

/// The functions that have contracts. One that is hidden in its file may have another name when files are linked, and a function of
/// another file may have that name then.
fn trios<'c>(module: &Module<'c>) -> Vec<Trio<'c>> {
    let ctx = module.context();
    let told = |func: Val<'c>| {
        let at = func.subprogram()?;
        Some((at.name(ctx)?, at.unit(ctx)?))
    };
    let mut known: BTreeMap<String, Vec<(Meta<'c>, Val<'c>)>> = BTreeMap::new();
    for func in module.functions() {
        if let Some((name, unit)) = told(func) {
            known.entry(name).or_default().push((unit, func));
        }
    }
    let beside = |name: &str, unit: Meta<'c>| {
        let mut list = known.get(name)?.iter();
        list.find(|(other, _)| *other == unit)
            .map(|&(_, func)| func)
    };
    let mut list = Vec::new();
    for call in module.functions() {
        let Some((stand_in, unit)) = told(call) else {
            continue;
        };
        let Some(name) = stand_in.strip_prefix(CALL) else {
            continue;
        };
        let func = beside(name, unit).or_else(|| {
            let visible = call.linkage() != Linkage::LLVMInternalLinkage;
            let func = module.function(name).filter(|_| visible)?;
            (func.linkage() != Linkage::LLVMInternalLinkage).then_some(func)
        });
        if let Some(func) = func {
            list.push(Trio {
                name: name.to_owned(),
                func,
                check: beside(&format!("{CHECK}{name}"), unit),
                call,
            });
        }
    }
    list
}

/// Says in the ledger which functions are replaced in what the entry comes to.
pub fn tell(module: &mut ir::syntax::Module, replaced: &BTreeSet<String>) {
    let reached = reached(module);
    for name in replaced {
        let stand_in = format!("{name}.call");
        let mut funcs = module.funcs.iter();
        if funcs.any(|(func, data)| data.name == stand_in && reached.contains(&func)) {
            module.notes.push(format!(
                "`{name}` does what its contract says, and no more (check it with --function {name}); what it reaches \
                 otherwise is apart from what its arguments lead to, and the C library's state stays as it is"
            ));
        }
    }
    module.notes.sort();
}

/// The functions that the entry comes to, or whose address is taken on the way.
fn reached(module: &ir::syntax::Module) -> BTreeSet<Func> {
    let mut list: Vec<Func> = module.entry.into_iter().collect();
    let mut seen: BTreeSet<Func> = list.iter().copied().collect();
    while let Some(func) = list.pop() {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        for (_, inst) in body.insts_in_order() {
            let op = &body.insts[inst].op;
            let mut found = Vec::new();
            if let Op::Call {
                callee: Callee::Direct(callee),
                ..
            } = op
            {
                found.push(*callee);
            }
            for operand in op.operands() {
                if let Operand::Const(Const::Func(callee)) = operand {
                    found.push(*callee);
                }
            }
            list.extend(found.into_iter().filter(|&callee| seen.insert(callee)));
        }
    }
    seen
}

/// Is it called by anything that is not written for contracts?
fn is_called_elsewhere(func: Val<'_>) -> bool {
    func.users().into_iter().any(|user| {
        user.value_kind() != ValKind::Instruction
            || !user.block().function().name().starts_with(OURS)
    })
}

/// The address of a label belongs to one function, and cannot go to another.
fn refuse_addresses(func: Val<'_>, name: &str) -> Result<(), Error> {
    let labels = func
        .users()
        .into_iter()
        .any(|user| user.value_kind() == ValKind::BlockAddress);
    if labels {
        return Err(Error::usage(format!(
            "{name}: a function with a contract cannot take addresses of labels"
        )));
    }
    Ok(())
}

/// Which line of which file a byte of a preprocessed text comes from.
pub struct Lines<'t> {
    text: &'t str,
    /// Where lines start, with the file and number that they have there.
    starts: Vec<(usize, &'t str, u32)>,
}

impl<'t> Lines<'t> {
    /// Looks at all lines for the preprocessor.
    fn of(text: &'t str) -> Lines<'t> {
        let mut starts = Vec::new();
        let (mut at, mut file, mut number) = (0, "<none>", 1);
        for line in text.split_inclusive('\n') {
            match marker(line) {
                Some((next, name)) => {
                    file = name;
                    number = next;
                }
                None => {
                    starts.push((at, file, number));
                    number += 1;
                }
            }
            at += line.len();
        }
        Lines { text, starts }
    }

    fn find(&self, at: usize) -> (usize, &'t str, u32) {
        let index = self.starts.partition_point(|&(start, _, _)| start <= at);
        let found = index
            .checked_sub(1)
            .and_then(|index| self.starts.get(index));
        found.copied().unwrap_or((0, "<none>", 1))
    }

    /// File and line.
    fn place(&self, at: usize) -> (&'t str, u32) {
        let (_, file, line) = self.find(at);
        (file, line)
    }

    /// Characters before it on its line.
    fn column(&self, at: usize) -> usize {
        let (start, _, _) = self.find(at);
        self.text[start..at].len()
    }

    /// A line that says that what follows comes from there.
    fn marker(&self, at: usize) -> String {
        let (file, line) = self.place(at);
        format!("# {line} \"{file}\"\n")
    }
}

/// `# 12 "file.c" 2`.
fn marker(line: &str) -> Option<(u32, &str)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line ").unwrap_or(rest);
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let name = rest.strip_prefix('"')?;
    Some((number, &name[..name.find('"')?]))
}

#[cfg(test)]
mod tests {
    use super::{Lines, effects, lex, read, write};

    fn check(text: &str) -> Result<String, String> {
        let tokens = lex::tokens(text);
        let found = read::read(&tokens).map_err(|(_, sentence)| sentence)?;
        for (_, words) in found.contracts.iter().flat_map(|found| &found.clauses) {
            effects::complain(words).map_err(|(_, sentence)| sentence)?;
        }
        write::write(text, &found, "").map_err(|(_, sentence)| sentence)
    }

    #[test]
    fn a_contract_leaves_the_rest_where_it_was() {
        let text = "# 1 \"f.c\"\nstruct s { int a; } g;\nstatic int f(int *p)\nsk_requires(p)\n{ return *p; }\nint x;\n";
        let written = check(text).expect("a contract");
        assert!(written.starts_with("# 1 \"f.c\"\nstruct s { int a; } g;\nstatic int f(int *p)\n              \n{ return *p; }\n"));
        assert!(written.contains("int sk__check__f(int * p)"), "{written}");
        assert!(written.ends_with("# 4 \"f.c\"\n\nint x;\n"), "{written}");
    }

    #[test]
    fn what_is_no_contract_is_refused() {
        let wrong = |text: &str| check(text).expect_err(text);
        assert!(wrong("int f(int) sk_requires(1);").contains("need names"));
        assert!(wrong("int f(int x, ...) sk_requires(1);").contains("further arguments"));
        assert!(wrong("int f(int x) { sk_requires(x); }").contains("stands between"));
        assert!(
            wrong("int f(int x) sk_requires(sk_result) ;").contains("when the function returns")
        );
        assert!(wrong("int x sk_requires(1);").contains("belongs to a function"));
        for changes in ["x = 1", "f(x++)", "x > 0 && (x -= 1)"] {
            let text = format!("int f(int x) sk_requires({changes});");
            assert!(wrong(&text).contains("changes nothing"), "{text}");
        }
        assert!(wrong("int f(int x) sk_requires(1").contains("not closed"));
        assert!(wrong("void f(int *p) sk_frees(p) ;").contains("cannot have a contract yet"));
    }

    #[test]
    fn lines_are_those_of_the_source() {
        let lines = Lines::of("# 7 \"a.h\" 1\nint a;\n\n# 3 \"b.c\" 2\nint b;\n");
        assert_eq!(lines.place(12), ("a.h", 7));
        assert_eq!(lines.place(36), ("b.c", 3));
    }
}
