//! Golden files for every pass: `tests/golden/PASS/*.ir`, text in, text out; `BLESS=1` rewrites.
//!
//! The directive is `;! pass NAME OPTION…`; the name may be several, `sa,sasa`, or `all`. Options: `extern=havoc|pure|error`,
//! `pointers=valid`, `checks=LIST|none`, `continue`, `regions=flat|split`, `unwind=N`, `unwind=LOOP:N`, `depth=N`,
//! `max=N` (instructions). `;! slice o0 o2` slices instead, for these obligations.
//! The output shows the functions, and the whole module if the pass changed its tables or notes.

use checks::registry::CheckId;
use ir::syntax::Module;
use passes::pass::{self, Config, ExternMode, Pass, RegionMode};
use passes::pipeline;

#[test]
fn passes_do_what_the_golden_files_say() {
    golden::run("tests/golden", run);
}

#[test]
fn every_pass_has_golden_files() {
    for pass in pipeline::ALL.iter().flat_map(|list| list.iter()) {
        let folder = format!("tests/golden/{}", pass.name());
        let files = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        assert!(files >= 2, "{folder} holds {files} files");
        assert!(pass.about().ends_with('.'), "{}", pass.name());
    }
}

fn run(directive: &str, mut module: Module) -> Result<String, String> {
    let mut words = directive.split_whitespace();
    if let Some(chosen) = directive.strip_prefix("slice ") {
        return sliced(&module, chosen);
    }
    let list = passes_named(words.next().unwrap_or(""))?;
    let config = config(words)?;
    let before = module.clone();
    let mut seen = 0;
    pass::run(&list, &mut module, &config, &mut |_, _| seen += 1)
        .map_err(|error| error.to_string())?;
    assert_eq!(seen, list.len(), "every pass can be observed");
    let text = module.to_string();
    let again = ir::text::read(&text).map_err(|error| format!("{error}\n{text}"))?;
    if again != module {
        return Err(format!("the module is not tidy\n{text}\n{again}"));
    }
    let same_tables = before.notes == module.notes
        && before.obligations == module.obligations
        && before.places == module.places
        && before.vars == module.vars
        && before.globals.len() == module.globals.len();
    Ok(if same_tables {
        golden::show(&module)
    } else {
        text
    })
}

fn sliced(module: &Module, chosen: &str) -> Result<String, String> {
    let chosen: Vec<_> = module
        .obligations
        .keys()
        .filter(|id| chosen.split_whitespace().any(|word| word == id.to_string()))
        .collect();
    let module = passes::slice::slice(module, &chosen);
    match ir::wellformed::check(&module) {
        Ok(()) => Ok(golden::show(&module)),
        Err(complaints) => Err(ir::wellformed::explain(&complaints)),
    }
}

fn passes_named(names: &str) -> Result<Vec<&'static dyn Pass>, String> {
    if names == "all" {
        // But what only some ask for.
        let lists = pipeline::ALL
            .iter()
            .filter(|&&list| list[0].name() != "mixed");
        return Ok(lists.copied().collect::<Vec<_>>().concat());
    }
    names
        .split(',')
        .map(|name| pipeline::find(name).ok_or_else(|| format!("no pass {name}")))
        .collect()
}

fn config<'a>(options: impl Iterator<Item = &'a str>) -> Result<Config, String> {
    let mut config = Config::default();
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
    for option in options {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match (key, value) {
            ("extern", "havoc") => config.extern_mode = ExternMode::Havoc,
            ("extern", "pure") => config.extern_mode = ExternMode::Pure,
            ("extern", "error") => config.extern_mode = ExternMode::Error,
            ("pointers", "valid") => config.extern_pointers = pass::ExternPointers::Valid,
            ("regions", "flat") => config.regions = RegionMode::Flat,
            ("regions", "split") => config.regions = RegionMode::Split,
            ("checks", "none") => config.checks.clear(),
            ("checks", list) => {
                let known = |name| CheckId::named(name).ok_or_else(|| format!("no check `{name}`"));
                config.checks = list.split(',').map(known).collect::<Result<_, _>>()?;
            }
            ("continue", "") => config.continue_after_failure = true,
            ("unwind", value) => match value.split_once(':') {
                Some((name, bound)) => {
                    let bound = number(bound)?;
                    config.bounds.unwind_set.insert(name.to_owned(), bound);
                }
                None => config.bounds.unwind = number(value)?,
            },
            ("depth", value) => config.bounds.depth = number(value)?,
            ("max", value) => config.bounds.max_insts = number(value)? as usize,
            _ => return Err(format!("no option {option}")),
        }
    }
    Ok(config)
}
