//! Properties: the names that task lists use, SV-COMP's property files, and the checks they stand for.
//!
//! A *property* is what a task is about (`valid-memsafety`), a *check* is what `verify` switches on
//! (`deref`, `free`, `leak`). Every check that belongs to a property is a property of its own, found in
//! the registry of checks; [`SVCOMP`] adds what SV-COMP has property files for. A property file is
//! recognised by its formulas, never by its name:
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! ```

use std::fmt;

use checks::registry::{self, CheckId};

/// What a task asks: does every execution satisfy this?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name in task lists.
    pub name: &'static str,
    /// The checks that decide it.
    pub checks: Vec<CheckId>,
    /// What `RESULT: false(…)` may say when it is violated: its subproperties, or itself.
    pub violations: Vec<&'static str>,
    /// How a verifier is told about it.
    pub told: Told,
}

/// How a verifier is told which property it is to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// By a property file, `--prp FILE`: SV-COMP has one for this property.
    PropertyFile,
    /// By `--check LIST`.
    Checks,
}

/// One property that SV-COMP has a file for.
struct Row {
    name: &'static str,
    /// One formula for each line of the file, without white space; `FUNCTION` stands for any name.
    formulas: &'static [&'static str],
    checks: &'static [CheckId],
    violations: &'static [&'static str],
}

/// The properties of SV-COMP that can be decided. The order matters: the first row whose formulas
/// all occur in a file takes them.
const SVCOMP: &[Row] = &[
    Row {
        name: "unreach-call",
        formulas: &["G!call(FUNCTION())"],
        checks: &[CheckId::Reach],
        violations: &["unreach-call"],
    },
    Row {
        name: "valid-memsafety",
        formulas: &["Gvalid-free", "Gvalid-deref", "Gvalid-memtrack"],
        checks: &[CheckId::Deref, CheckId::Free, CheckId::Leak],
        violations: &["valid-deref", "valid-free", "valid-memtrack"],
    },
    Row {
        name: "valid-memcleanup",
        formulas: &["Gvalid-memcleanup"],
        checks: &[CheckId::Cleanup],
        violations: &["valid-memcleanup"],
    },
    Row {
        name: "no-overflow",
        formulas: &["G!overflow"],
        checks: &[CheckId::Overflow],
        violations: &["no-overflow"],
    },
];

/// Parts of `valid-memsafety`: a file may ask for one alone, though SV-COMP has no such file.
const PARTS: &[(&str, &str)] = &[
    ("Gvalid-deref", "valid-deref"),
    ("Gvalid-free", "valid-free"),
    ("Gvalid-memtrack", "valid-memtrack"),
];

/// The function that `unreach-call` is about when nothing else is said.
const ERROR_FUNCTION: &str = "reach_error";

impl Property {
    /// The property of that name, as the column `property` of a task list calls it.
    pub fn find(name: &str) -> Option<Property> {
        if let Some(row) = SVCOMP.iter().find(|row| row.name == name) {
            return Some(Property {
                name: row.name,
                checks: row.checks.to_vec(),
                violations: row.violations.to_vec(),
                told: Told::PropertyFile,
            });
        }
        registry::CHECKS.iter().find_map(|check| {
            let name = check.property.filter(|property| *property == name)?;
            Some(Property {
                name,
                checks: vec![check.id],
                violations: vec![name],
                told: Told::Checks,
            })
        })
    }

    /// The names of all properties, those of SV-COMP first.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<&str> = SVCOMP.iter().map(|row| row.name).collect();
        for name in registry::CHECKS.iter().filter_map(|check| check.property) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Does `RESULT: false(violation)` say that this property is violated?
    pub fn is_violated_by(&self, violation: &str) -> bool {
        violation == self.name || self.violations.contains(&violation)
    }

    /// The lines of SV-COMP's file for this property; none if it has no file.
    pub fn file_lines(&self) -> Vec<String> {
        let Some(row) = SVCOMP.iter().find(|row| row.name == self.name) else {
            return Vec::new();
        };
        row.formulas
            .iter()
            .map(|formula| {
                let spaced = match formula.strip_prefix("G!") {
                    Some(rest) => format!("G ! {}", rest.replace("FUNCTION", ERROR_FUNCTION)),
                    None => format!("G {}", &formula[1..]),
                };
                format!("CHECK( init(main()), LTL({spaced}) )")
            })
            .collect()
    }
}

/// What a property file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The function where executions begin.
    pub entry: String,
    /// The properties it asks for, at least one.
    pub properties: Vec<Property>,
    /// The functions that must not be called, if `unreach-call` is among them.
    pub error_functions: Vec<String>,
}

impl Specification {
    /// The checks that decide it, each once.
    pub fn checks(&self) -> Vec<CheckId> {
        let mut checks = Vec::new();
        for check in self.properties.iter().flat_map(|property| &property.checks) {
            if !checks.contains(check) {
                checks.push(*check);
            }
        }
        checks
    }
}

/// Why a property file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecificationError {
    /// A line is not of the form `CHECK( init(ENTRY()), LTL(FORMULA) )`.
    Malformed {
        /// Counted from one.
        line: usize,
    },
    /// The formula is not among the properties that can be decided (termination, data races, …).
    Unsupported {
        /// Counted from one.
        line: usize,
        /// The formula as it stands there.
        formula: String,
    },
    /// Two lines begin at different functions.
    TwoEntries {
        /// Counted from one.
        line: usize,
    },
    /// There is no line at all.
    Empty,
}

impl fmt::Display for SpecificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line } => write!(
                f,
                "line {line}: expected `CHECK( init(ENTRY()), LTL(FORMULA) )`"
            ),
            Self::Unsupported { line, formula } => {
                write!(f, "line {line}: unsupported property `{formula}`")
            }
            Self::TwoEntries { line } => {
                write!(f, "line {line}: another entry function than before")
            }
            Self::Empty => write!(f, "no property"),
        }
    }
}

impl std::error::Error for SpecificationError {}

/// Reads the text of a property file.
pub fn read_specification(text: &str) -> Result<Specification, SpecificationError> {
    let mut entry: Option<String> = None;
    // Formulas with `FUNCTION` for the name, the line each stands on, and whether it has been taken.
    let mut formulas: Vec<(String, usize, bool)> = Vec::new();
    let mut error_functions = Vec::new();
    for (index, text_line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = index + 1;
        if text_line.trim().is_empty() {
            continue;
        }
        let packed: String = text_line.chars().filter(|c| !c.is_whitespace()).collect();
        let (line_entry, formula) =
            split_line(&packed).ok_or(SpecificationError::Malformed { line })?;
        if entry.as_ref().is_some_and(|first| first != line_entry) {
            return Err(SpecificationError::TwoEntries { line });
        }
        entry = Some(line_entry.to_owned());
        let formula = match called_function(formula) {
            Some(function) => {
                if !error_functions.contains(&function.to_owned()) {
                    error_functions.push(function.to_owned());
                }
                "G!call(FUNCTION())".to_owned()
            }
            None => formula.to_owned(),
        };
        if !formulas.iter().any(|(known, _, _)| *known == formula) {
            formulas.push((formula, line, false));
        }
    }
    let entry = entry.ok_or(SpecificationError::Empty)?;
    let properties = recognise(&mut formulas)?;
    Ok(Specification {
        entry,
        properties,
        error_functions,
    })
}

/// The properties whose formulas these are.
fn recognise(formulas: &mut [(String, usize, bool)]) -> Result<Vec<Property>, SpecificationError> {
    let mut names = Vec::new();
    for row in SVCOMP {
        let wanted = |formula: &str| row.formulas.contains(&formula);
        let present = formulas.iter().filter(|(formula, ..)| wanted(formula));
        if present.count() == row.formulas.len() {
            names.push(row.name);
            for (formula, _, taken) in formulas.iter_mut() {
                *taken |= wanted(formula);
            }
        }
    }
    for (formula, line, taken) in formulas.iter() {
        if *taken {
            continue;
        }
        match PARTS.iter().find(|(part, _)| part == formula) {
            Some((_, name)) => names.push(name),
            None => {
                return Err(SpecificationError::Unsupported {
                    line: *line,
                    formula: formula.clone(),
                });
            }
        }
    }
    Ok(names
        .into_iter()
        .map(|name| Property::find(name).expect("the tables name known properties only"))
        .collect())
}

/// Entry function and formula of a line without white space.
fn split_line(packed: &str) -> Option<(&str, &str)> {
    let body = packed.strip_prefix("CHECK(init(")?.strip_suffix("))")?;
    let (entry, formula) = body.split_once("()),LTL(")?;
    (is_identifier(entry) && !formula.is_empty()).then_some((entry, formula))
}

/// The function of `G!call(function())`.
fn called_function(formula: &str) -> Option<&str> {
    let function = formula.strip_prefix("G!call(")?.strip_suffix("())")?;
    is_identifier(function).then_some(function)
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::{Property, SpecificationError, read_specification};

    fn check(text: &str) -> String {
        match read_specification(text) {
            Err(error) => error.to_string(),
            Ok(specification) => {
                let names: Vec<&str> = specification.properties.iter().map(|p| p.name).collect();
                let checks: Vec<&str> = specification.checks().iter().map(|c| c.name()).collect();
                format!(
                    "{} from {}: --check {} {}",
                    names.join("+"),
                    specification.entry,
                    checks.join(","),
                    specification.error_functions.join(",")
                )
            }
        }
    }

    #[test]
    fn formulas_decide_not_layout() {
        assert_eq!(
            check("\nCHECK( init(main()), LTL(G ! call(reach_error())) )\n\n"),
            "unreach-call from main: --check reach reach_error"
        );
        assert_eq!(
            check("CHECK(init(start()),LTL(G !call(__VERIFIER_error())))"),
            "unreach-call from start: --check reach __VERIFIER_error"
        );
        assert_eq!(
            check(
                "CHECK( init(main()), LTL(G valid-free) )\r\nCHECK( init(main()), LTL(G valid-deref) )\r\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )\r\n"
            ),
            "valid-memsafety from main: --check deref,free,leak "
        );
        assert_eq!(
            check("CHECK( init(main()), LTL(G valid-memcleanup) )"),
            "valid-memcleanup from main: --check cleanup "
        );
        assert_eq!(
            check("CHECK( init(main()), LTL(G ! overflow) )"),
            "no-overflow from main: --check overflow "
        );
    }

    #[test]
    fn a_part_of_memory_safety_stands_alone() {
        assert_eq!(
            check("CHECK( init(main()), LTL(G valid-deref) )"),
            "valid-deref from main: --check deref "
        );
        assert_eq!(
            check(
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G ! overflow) )"
            ),
            "no-overflow+valid-free from main: --check overflow,free "
        );
    }

    #[test]
    fn what_is_not_decided_is_refused() {
        for (text, expected) in [
            ("", "no property"),
            (
                "CHECK( init(main()), LTL(F end) )",
                "line 1: unsupported property `Fend`",
            ),
            (
                "\nCHECK( init(main()), LTL(G ! data-race) )",
                "line 2: unsupported property `G!data-race`",
            ),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "line 1: expected `CHECK( init(ENTRY()), LTL(FORMULA) )`",
            ),
            (
                "CHECK( init(main()), LTL(G ! call(f(x))) )",
                "line 1: unsupported property `G!call(f(x))`",
            ),
            (
                "CHECK( init(), LTL(G ! overflow) )",
                "line 1: expected `CHECK( init(ENTRY()), LTL(FORMULA) )`",
            ),
        ] {
            assert_eq!(check(text), expected);
        }
        assert_eq!(
            read_specification(
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(f()), LTL(G valid-deref) )"
            ),
            Err(SpecificationError::TwoEntries { line: 2 })
        );
    }

    #[test]
    fn files_written_are_files_read() {
        for name in Property::names() {
            let property = Property::find(name).expect("a listed name is found");
            assert!(!property.checks.is_empty() && !property.violations.is_empty());
            let lines = property.file_lines();
            if !lines.is_empty() {
                let read = read_specification(&lines.join("\n")).expect("our own file");
                assert_eq!(read.properties, [property]);
            }
        }
    }

    #[test]
    fn every_check_named_here_belongs_to_the_property() {
        for name in Property::names() {
            for check in Property::find(name).expect("a listed name").checks {
                let violation = check.check().property.expect("it belongs to a property");
                assert!(
                    Property::find(name)
                        .expect("listed")
                        .is_violated_by(violation)
                );
            }
        }
        assert_eq!(Property::find("termination"), None);
    }
}
