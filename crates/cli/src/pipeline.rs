//! A program's straight line: files, Raw, Lowered, Pure.

use checks::registry::CheckId;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ir::syntax::{Module, Phase};

use crate::args::{AfterFailure, DataModel, Extern, ExternPointers, InputArgs, Regions, Volatile};
use crate::compdb;
use crate::report::paint::Paint;
use results::{Failure, Stage};

/// Stages that can be kept besides those after each pass.
const STAGES: [&str; 3] = ["raw", "lowered", "pure"];

/// A program on its way.
pub struct Program {
    /// The module.
    pub module: Module,
    /// The checks that are on.
    pub checks: BTreeSet<CheckId>,
    /// What was done so far.
    pub stages: Vec<Stage>,
    /// What each pass cost.
    pub passes: Vec<Stage>,
    /// Was it said that signed arithmetic wraps?
    pub wraps: bool,
    config: passes::pass::Config,
    /// See [`Program::claims`]; made anew when the module changes.
    pub claims: OnceCell<results::Program>,
    /// The pointers that an entry other than `main` is given.
    pub pointers: Vec<frontend::params::Pointer>,
}

/// Loads a program: Raw. Streams are modelled, or the host's.
pub fn load(input: &InputArgs, stdio: frontend::Stdio) -> Result<Program, Failure> {
    load_with(&read_property(input)?, stdio, &[])
}

/// Loads a program with further checks; the property file was read before.
pub fn load_with(
    input: &InputArgs,
    stdio: frontend::Stdio,
    further: &[CheckId],
) -> Result<Program, Failure> {
    if let Some(name) = &input.dump_after
        && !STAGES.contains(&name.as_str())
        && passes::pipeline::find(name).is_none()
    {
        let passes = passes::pipeline::ALL.iter().flat_map(|list| list.iter());
        let mut names: Vec<&str> = STAGES.to_vec();
        names.extend(passes.map(|pass| pass.name()));
        names.dedup();
        return Err(Failure::usage(format!(
            "--dump-after: there is no pass `{name}`, only {}",
            names.join(", ")
        )));
    }
    let (mut checks, prp_entry) = selected_checks(input)?;
    checks.extend(further);
    checks.extend(&input.further);
    if input.function.is_some() {
        // What one side believes, the other has to show.
        checks.extend([CheckId::Requires, CheckId::Ensures, CheckId::Assigns]);
    }
    let mut flags = split_words(input.cflags.as_deref().unwrap_or(""))?;
    flags.extend(input.flags.iter().cloned());
    flags.extend(input.undefine.iter().map(|name| format!("-U{name}")));
    let flags = frontend::cflags::look_at(&flags)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let (file_flags, flags) = project_flags(input, flags)?;
    let data_model = data_model(input, &flags)?;
    if flags.wraps {
        checks.remove(&CheckId::Overflow);
    }
    let extern_mode = match (input.extern_mode, &input.prp) {
        (Some(Extern::Havoc), _) | (None, None) => passes::pass::ExternMode::Havoc,
        (Some(Extern::Pure), _) | (None, Some(_)) => passes::pass::ExternMode::Pure,
        (Some(Extern::Error), _) => passes::pass::ExternMode::Error,
    };
    let start = Instant::now();
    let entry = input
        .function
        .clone()
        .or_else(|| input.entry.clone())
        .or(prp_entry)
        .unwrap_or_else(|| "main".to_owned());
    let rules = frontend::params::read(&input.param)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    if entry == "main" && !input.param.is_empty() {
        return Err(Failure::usage(
            "--param says something of the arguments of another function than `main`: name it with --entry or --function",
        ));
    }
    let loaded = match dumped(input)? {
        Some(module) => frontend::Loaded {
            module,
            pointers: Vec::new(),
            warnings: String::new(),
        },
        None => {
            let mut options = frontend::Options::new(&input.files);
            options.cflags = flags.arguments;
            options.file_flags = file_flags;
            options.includes = input.include.clone();
            options.defines = input.define.clone();
            options.data_model = data_model;
            options.entry = entry;
            options.contracts = input.function.is_some();
            options.params = rules;
            if let Some(specification) = &input.specification {
                options.error_functions = specification.error_functions.clone();
            }
            options.opt =
                frontend::OptLevel::from_number(input.opt).expect("clap checked the range");
            options.checks = checks.clone();
            options.cover = checks.contains(&CheckId::Cover);
            options.malloc_may_fail = input.malloc_may_fail;
            options.mmio.clone_from(&input.mmio);
            options.volatile = match (input.volatile, &input.prp) {
                (Some(Volatile::Any), _) => frontend::Volatile::Any,
                (Some(Volatile::Last), _) | (None, Some(_)) => frontend::Volatile::Last,
                (None, None) => frontend::Volatile::Mixed,
            };
            options.continue_after_failure = input.after_failure == AfterFailure::Continue;
            options.unknown_calls = extern_mode == passes::pass::ExternMode::Havoc;
            options.models = !input.no_models;
            options.save = input.save.clone();
            options.cache = cache(input)?;
            options.stdio = stdio;
            options.statuses = input.prp.is_none();
            options.warnings = warnings(input);
            frontend::load_described(&options, &mut |_, _| {})
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?
        }
    };
    if !loaded.warnings.is_empty() {
        eprint!("{}", loaded.warnings);
    }
    let frontend::Loaded {
        mut module,
        pointers,
        ..
    } = loaded;
    if flags.wraps {
        let note = "signed arithmetic wraps, as --cflags says: an overflow is no violation";
        module.notes.push(note.to_owned());
    }
    if !flags.followed.is_empty() {
        let note = format!("compiled with {}", flags.followed.join(" "));
        module.notes.push(note);
    }
    if let Some(specification) = &input.specification
        && !specification.error_functions.is_empty()
    {
        let names = specification.error_functions.join(", ");
        module
            .notes
            .push(format!("what must not be called: {names}"));
    }
    let stages = vec![Stage {
        name: "frontend".to_owned(),
        time: start.elapsed(),
    }];
    let config = passes::pass::Config {
        checks: checks.clone(),
        extern_mode,
        extern_pointers: match input.extern_pointers {
            ExternPointers::Unknown => passes::pass::ExternPointers::Unknown,
            ExternPointers::Valid => passes::pass::ExternPointers::Valid,
        },
        continue_after_failure: input.after_failure == AfterFailure::Continue,
        regions: match input.regions.unwrap_or(Regions::Split) {
            Regions::Dsa => passes::pass::RegionMode::Given(pointers::SENSITIVE),
            Regions::Ci => passes::pass::RegionMode::Given(pointers::INSENSITIVE),
            Regions::Split => passes::pass::RegionMode::Split,
            Regions::Flat => passes::pass::RegionMode::Flat,
        },
        ..passes::pass::Config::default()
    };
    let mut program = Program {
        module,
        checks,
        stages,
        passes: Vec::new(),
        wraps: flags.wraps,
        config,
        claims: OnceCell::new(),
        pointers,
    };
    keep(input, "raw", &program.module)?;
    if let Err(complaints) = ir::wellformed::check(&program.module) {
        let text: Vec<String> = complaints.iter().map(ToString::to_string).collect();
        return Err(Failure::internal(format!(
            "the imported program is not wellformed: {}",
            text.join("; ")
        )));
    }
    program.module.notes.sort();
    Ok(program)
}

impl Program {
    /// Its obligations, as results know them.
    pub fn claims(&self) -> &results::Program {
        self.claims
            .get_or_init(|| results::Program::of(&self.module, &self.checks))
    }

    /// A program in phase Pure that was read elsewhere, and whose way ends here.
    pub fn given(module: Module, checks: BTreeSet<CheckId>, wraps: bool) -> Program {
        Program {
            module,
            checks,
            stages: Vec::new(),
            passes: Vec::new(),
            wraps,
            config: passes::pass::Config::default(),
            claims: OnceCell::new(),
            pointers: Vec::new(),
        }
    }

    /// The same program with another module, which is on its way no further.
    pub fn with_module(&self, module: Module) -> Program {
        Program {
            module,
            checks: self.checks.clone(),
            stages: Vec::new(),
            passes: Vec::new(),
            wraps: self.wraps,
            config: self.config.clone(),
            claims: OnceCell::new(),
            pointers: self.pointers.clone(),
        }
    }

    /// Raw to Lowered.
    pub fn lower(&mut self, input: &InputArgs) -> Result<(), Failure> {
        self.run(
            "lower",
            "lowered",
            passes::pipeline::LOWER,
            Phase::Lowered,
            input,
        )
    }

    /// Lowered to Lowered: all checks into the entry.
    pub fn mix(&mut self, input: &InputArgs) -> Result<(), Failure> {
        if input.after_failure == AfterFailure::Continue {
            return Err(Failure::usage(
                "--calls mixed and --after-failure continue contradict each other",
            ));
        }
        if self.module.phase != Phase::Lowered {
            return Err(Failure::usage(
                "--calls mixed takes no program that is Pure already",
            ));
        }
        self.run_list("mix", "mixed", passes::pipeline::MIX, input)
    }

    /// Lowered to Pure.
    pub fn purify(&mut self, input: &InputArgs) -> Result<(), Failure> {
        let list = [passes::pipeline::PURIFY, passes::pipeline::CHOOSE].concat();
        self.run("purify", "pure", &list, Phase::Pure, input)
    }

    fn run(
        &mut self,
        stage: &str,
        result: &str,
        list: &[&dyn passes::pass::Pass],
        phase: Phase,
        input: &InputArgs,
    ) -> Result<(), Failure> {
        if self.module.phase >= phase {
            return Ok(());
        }
        self.run_list(stage, result, list, input)
    }

    fn run_list(
        &mut self,
        stage: &str,
        result: &str,
        list: &[&dyn passes::pass::Pass],
        input: &InputArgs,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let mut failed = None;
        let timings =
            passes::pass::run(list, &mut self.module, &self.config, &mut |pass, module| {
                if let Err(failure) = keep(input, pass.name(), module) {
                    failed = Some(failure);
                }
            })
            .map_err(|error| Failure::internal(error.to_string()))?;
        self.passes.extend(timings.into_iter().map(|timing| Stage {
            name: timing.pass.to_owned(),
            time: timing.time,
        }));
        self.stages.push(Stage {
            name: stage.to_owned(),
            time: start.elapsed(),
        });
        keep(input, result, &self.module)?;
        failed.map_or(Ok(()), Err)
    }
}

/// Where bitcode is kept. That nothing can be kept in the usual folder is no error.
fn cache(input: &InputArgs) -> Result<Option<PathBuf>, Failure> {
    match &input.cache {
        _ if input.no_cache => Ok(None),
        None => Ok(frontend::cache::usual()),
        Some(folder) => {
            let said = |error: frontend::Error| format!("--cache {error}");
            frontend::cache::Cache::open(folder)
                .map_err(|error| Failure::new(error.exit_code(), said(error)))?;
            Ok(Some(folder.clone()))
        }
    }
}

/// What is wanted of clang's words.
fn warnings(input: &InputArgs) -> frontend::Warnings {
    match (input.warnings, Paint::of(&std::io::stderr()).is_on()) {
        (false, _) => frontend::Warnings::Silent,
        (true, false) => frontend::Warnings::Plain,
        (true, true) => frontend::Warnings::Coloured,
    }
}

/// The data model that the options and flags agree on.
fn data_model(
    input: &InputArgs,
    flags: &frontend::cflags::Flags,
) -> Result<frontend::DataModel, Failure> {
    let said = input.data_model.map(|model| match model {
        DataModel::Lp64 => frontend::DataModel::Lp64,
        DataModel::Ilp32 => frontend::DataModel::Ilp32,
    });
    match (said, flags.data_model) {
        (Some(said), Some(meant)) if said != meant => Err(Failure::usage(
            "--data-model and the -m32 or -m64 of --cflags contradict each other",
        )),
        (said, meant) => Ok(said.or(meant).unwrap_or_default()),
    }
}

/// A file that is a dump of ours.
fn dumped(input: &InputArgs) -> Result<Option<Module>, Failure> {
    let [file] = input.files.as_slice() else {
        return Ok(None);
    };
    if file.extension().is_none_or(|extension| extension != "ir") {
        return Ok(None);
    }
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    let module = ir::text::read(&text)
        .map_err(|error| Failure::input(format!("{}:{error}", file.display())))?;
    Ok(Some(module))
}

/// Prints and saves a stage if that is wanted.
pub fn keep(input: &InputArgs, name: &str, module: &Module) -> Result<(), Failure> {
    if input.dump_after.as_deref() == Some(name) {
        eprint!("{module}");
    }
    if let Some(folder) = &input.save {
        save(folder, name, module)?;
    }
    Ok(())
}

fn save(folder: &Path, name: &str, module: &Module) -> Result<(), Failure> {
    let say = |error: std::io::Error| {
        Failure::usage(format!("cannot write to {}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(say)?;
    fs::write(folder.join(name).with_extension("ir"), module.to_string()).map_err(say)
}

/// The flags of each file of a project, and with those for all what they mean.
fn project_flags(
    input: &InputArgs,
    mut all: frontend::cflags::Flags,
) -> Result<(BTreeMap<PathBuf, Vec<String>>, frontend::cflags::Flags), Failure> {
    let mut list = BTreeMap::new();
    let Some(path) = &input.compdb else {
        return Ok((list, all));
    };
    let project = compdb::read(path)?;
    for file in &input.files {
        let here = compdb::seen_from_here(file);
        let Some(words) = project.get(&here) else {
            return Err(Failure::usage(format!(
                "--compdb {}: no command compiles {}",
                path.display(),
                file.display()
            )));
        };
        let flags = frontend::cflags::look_at(words).map_err(|error| {
            Failure::new(
                error.exit_code(),
                format!("{}: {error}", file.display()).replace("--cflags ", ""),
            )
        })?;
        if let (Some(one), Some(other)) = (all.data_model, flags.data_model)
            && one != other
        {
            return Err(Failure::usage(format!(
                "--compdb {}: files are compiled with -m32 and with -m64",
                path.display()
            )));
        }
        all.data_model = all.data_model.or(flags.data_model);
        all.wraps |= flags.wraps;
        for word in flags.followed {
            if !all.followed.contains(&word) {
                all.followed.push(word);
            }
        }
        list.insert(file.clone(), flags.arguments);
    }
    Ok((list, all))
}

/// The functions of the files of a program, and what contracts say.
pub fn functions(
    input: &InputArgs,
) -> Result<
    (
        Vec<frontend::functions::Function>,
        Vec<frontend::contracts::Said>,
    ),
    Failure,
> {
    let mut flags = split_words(input.cflags.as_deref().unwrap_or(""))?;
    flags.extend(input.flags.iter().cloned());
    flags.extend(input.undefine.iter().map(|name| format!("-U{name}")));
    let fail = |error: frontend::Error| Failure::new(error.exit_code(), error.to_string());
    let flags = frontend::cflags::look_at(&flags).map_err(fail)?;
    let (file_flags, flags) = project_flags(input, flags)?;
    let mut options = frontend::Options::new(&input.files);
    options.data_model = data_model(input, &flags)?;
    options.cflags = flags.arguments;
    options.file_flags = file_flags;
    options.includes = input.include.clone();
    options.defines = input.define.clone();
    options.cache = cache(input)?;
    frontend::functions::functions(&options).map_err(fail)
}

/// The files of a project that define the function that is meant.
fn defining(input: &InputArgs, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = input.function.as_deref().or(input.entry.as_deref());
    let name = name.unwrap_or("main");
    let mut found = Vec::new();
    for file in compdb::read(path)?.into_keys() {
        let text = fs::read(&file).unwrap_or_default();
        if !String::from_utf8_lossy(&text).contains(name) {
            continue;
        }
        let one = InputArgs {
            files: vec![file.clone()],
            ..input.clone()
        };
        let (functions, _) = functions(&one)?;
        if functions.iter().any(|function| function.name == name) {
            found.push(file);
        }
    }
    match found.len() {
        0 => Err(Failure::usage(format!(
            "--compdb {}: no file defines {name}; name it with --function or --entry",
            path.display()
        ))),
        1 => Ok(found),
        _ => {
            let files: Vec<String> = found
                .iter()
                .map(|file| file.display().to_string())
                .collect();
            Err(Failure::usage(format!(
                "--compdb {}: {name} is defined in {}; name the files that are meant",
                path.display(),
                files.join(" and in ")
            )))
        }
    }
}

/// Reads the property file, if there is one: once, since it may be a pipe. Finds the files that are meant, if none is named.
pub fn read_property(input: &InputArgs) -> Result<InputArgs, Failure> {
    let mut input = input.clone();
    if let (true, Some(path)) = (input.files.is_empty(), &input.compdb) {
        input.files = defining(&input, path)?;
    }
    if let (Some(file), None) = (&input.prp, &input.specification) {
        let text = fs::read_to_string(file)
            .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
        let specification = bench::property::read_specification(&text)
            .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
        input.specification = Some(specification);
    }
    Ok(input)
}

/// The checks that are on, and the entry that a property file names.
fn selected_checks(input: &InputArgs) -> Result<(BTreeSet<CheckId>, Option<String>), Failure> {
    let mut names = BTreeSet::new();
    if let Some(specification) = &input.specification {
        names.extend(specification.checks());
        return Ok((names, Some(specification.entry.clone())));
    }
    if input.reached {
        names.insert(CheckId::Cover);
    }
    for name in input.check.as_deref().unwrap_or("default").split(',') {
        if name.trim() == CheckId::Cover.name() {
            return Err(Failure::usage(
                "--check cover: what is reached is asked by --cover",
            ));
        }
        let Some(checks) = checks::registry::expand(name.trim()) else {
            return Err(Failure::usage(format!(
                "there is no check `{}`; `selkie explain` lists them",
                name.trim()
            )));
        };
        names.extend(checks);
    }
    Ok((names, None))
}

/// Splits flags as a shell would: at spaces, with quotes and backslashes.
pub fn split_words(text: &str) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Failure::usage("--cflags: a quote is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn flags_are_split_as_a_shell_does() {
        let split = |text: &str| split_words(text).expect("closed quotes");
        assert_eq!(
            split("-m32  -DX='a b' -DY=\"c\\\"d\" e\\ f"),
            ["-m32", "-DX=a b", "-DY=c\"d", "e f"]
        );
        assert!(split("").is_empty());
        assert!(split_words("'open").is_err());
    }
}
