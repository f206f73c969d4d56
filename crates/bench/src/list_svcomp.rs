//! SV-COMP's task definitions (`*.yml`, format 1.0 and 2.x) and sets of them (`*.set`).
//!
//! A definition holds one program and several properties: each property that can be decided becomes a
//! task of its own, named `DEFINITION:PROPERTY`. The others (termination, data races, coverage) and
//! programs in other languages are left out and counted. A set lists patterns of definitions, one on a
//! line, relative to its own folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::list_csv::stem;
use crate::property::{Property, SpecificationError, read_specification};
use crate::task::{DataModel, Expected, ListError, Placed, Task};
use crate::yaml::{self, Node};

/// Reads definitions and sets, each definition once.
#[derive(Default)]
pub(crate) struct Reader {
    seen: BTreeSet<PathBuf>,
    /// What was left out, by reason.
    skipped: BTreeMap<String, usize>,
    /// What property files say; the same few are named by thousands of definitions.
    property_files: BTreeMap<PathBuf, Result<Property, FileProblem>>,
}

/// Why a property file is of no use.
#[derive(Clone, Debug)]
enum FileProblem {
    /// It is sound, but asks for something that is not decided here.
    Unsupported,
    /// The list is broken.
    Bad(String),
}

impl Reader {
    /// What was left out and why.
    pub fn notes(&self) -> Vec<String> {
        self.skipped
            .iter()
            .map(|(reason, count)| format!("left out {count}: {reason}"))
            .collect()
    }

    /// The tasks of one definition.
    pub fn read_definition(&mut self, list: &Path, errors: &mut Vec<ListError>) -> Vec<Placed> {
        let category = folder_name(list);
        self.definition(list, &category, errors)
    }

    /// The tasks of all definitions that the patterns of a set match.
    pub fn read_set(&mut self, list: &Path, errors: &mut Vec<ListError>) -> Vec<Placed> {
        let text = match fs::read_to_string(list) {
            Ok(text) => text,
            Err(error) => {
                errors.push(ListError::whole(list, error.to_string()));
                return Vec::new();
            }
        };
        let folder = list.parent().unwrap_or(Path::new(""));
        let mut tasks = Vec::new();
        for (index, pattern) in text.lines().map(str::trim).enumerate() {
            if pattern.is_empty() || pattern.starts_with('#') {
                continue;
            }
            let line = index as u64 + 1;
            let escaped = glob::Pattern::escape(&folder.to_string_lossy());
            let full = Path::new(&escaped).join(pattern);
            let paths = match glob::glob(&full.to_string_lossy()) {
                Ok(paths) => paths,
                Err(error) => {
                    errors.push(ListError::at(list, line, format!("bad pattern: {error}")));
                    continue;
                }
            };
            let mut found: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
            found.sort();
            if found.is_empty() {
                let reason = format!("missing file: nothing matches `{pattern}`");
                errors.push(ListError::at(list, line, reason));
            }
            for path in found {
                let category = match folder_name(&path) {
                    folder if folder.is_empty() => stem(list),
                    folder => format!("{}/{folder}", stem(list)),
                };
                tasks.extend(self.definition(&path, &category, errors));
            }
        }
        tasks
    }

    fn definition(
        &mut self,
        path: &Path,
        category: &str,
        errors: &mut Vec<ListError>,
    ) -> Vec<Placed> {
        if !self.seen.insert(path.to_owned()) {
            return Vec::new();
        }
        let before = errors.len();
        let node = match read_yaml(path) {
            Ok(node) => node,
            Err((line, reason)) => {
                errors.push(ListError {
                    list: path.to_owned(),
                    line,
                    reason,
                });
                return Vec::new();
            }
        };
        let mut fail = |reason: String| errors.push(ListError::whole(path, reason));
        let version = node.get("format_version").and_then(Node::text);
        if !version.is_some_and(|version| version == "1.0" || version.starts_with("2.")) {
            fail("missing or unknown `format_version`".to_owned());
        }
        let option = |name: &str| node.get("options").and_then(|options| options.get(name));
        let language = option("language").and_then(Node::text).unwrap_or("C");
        if language != "C" {
            self.skip(&format!("language {language}"));
            return Vec::new();
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let names = node.get("input_files").and_then(Node::texts);
        let files: Vec<PathBuf> = names
            .unwrap_or_default()
            .iter()
            .map(|name| folder.join(name))
            .collect();
        if files.is_empty() {
            fail("no `input_files`".to_owned());
        }
        for file in files.iter().filter(|file| !file.is_file()) {
            fail(format!("missing file `{}`", file.display()));
        }
        let data_model = option("data_model").and_then(Node::text);
        let model = data_model.and_then(DataModel::read);
        if model.is_none() {
            fail("missing or bad `data_model`: expected ILP32 or LP64".to_owned());
        }
        let Some(Node::List(properties)) = node.get("properties") else {
            fail("no `properties`".to_owned());
            return Vec::new();
        };
        let mut tasks = Vec::new();
        for entry in properties {
            match self.property(entry, folder) {
                Ok(None) => {}
                Ok(Some(asked)) => {
                    if let Some(data_model) = model {
                        tasks.push(asked.task(path, category, &files, data_model));
                    }
                }
                Err(reason) => errors.push(ListError::whole(path, reason)),
            }
        }
        if errors.len() > before {
            return Vec::new();
        }
        tasks
    }

    /// What an entry of `properties` asks; none if it is left out.
    fn property(&mut self, entry: &Node, folder: &Path) -> Result<Option<Asked>, String> {
        let name = entry.get("property_file").and_then(Node::text);
        let file = folder.join(name.ok_or("a property without `property_file`")?);
        let property = match self.property_file(&file) {
            Ok(property) => property,
            Err(FileProblem::Bad(reason)) => return Err(reason),
            Err(FileProblem::Unsupported) => {
                self.skip(&format!("property {}", stem(&file)));
                return Ok(None);
            }
        };
        let Some(expected) = entry.get("expected_verdict") else {
            self.skip("no expected verdict");
            return Ok(None);
        };
        let expected = expected.text().and_then(Expected::read).ok_or_else(|| {
            format!(
                "bad verdict for `{}`: expected true or false",
                property.name
            )
        })?;
        let subproperty = entry.get("subproperty").and_then(Node::text);
        match subproperty {
            Some(sub) if !property.violations.contains(&sub) => {
                let name = property.name;
                Err(format!("`{sub}` is no subproperty of `{name}`"))
            }
            _ => Ok(Some(Asked {
                file,
                property,
                expected,
                subproperty: subproperty.map(str::to_owned),
            })),
        }
    }

    fn property_file(&mut self, file: &Path) -> Result<Property, FileProblem> {
        if let Some(known) = self.property_files.get(file) {
            return known.clone();
        }
        let read = read_property_file(file);
        self.property_files.insert(file.to_owned(), read.clone());
        read
    }

    fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
    }
}

fn read_property_file(file: &Path) -> Result<Property, FileProblem> {
    let place = file.display();
    let text = fs::read_to_string(file)
        .map_err(|error| FileProblem::Bad(format!("missing file `{place}`: {error}")))?;
    match read_specification(&text) {
        Ok(specification) => match <[Property; 1]>::try_from(specification.properties) {
            Ok([property]) => Ok(property),
            Err(_) => Err(FileProblem::Unsupported),
        },
        Err(SpecificationError::Unsupported { .. }) => Err(FileProblem::Unsupported),
        // Test-Comp's files ask for coverage; they are no mistake in the list.
        Err(_) if text.trim_start().starts_with("COVER") => Err(FileProblem::Unsupported),
        Err(error) => Err(FileProblem::Bad(format!("{place}: {error}"))),
    }
}

/// What one property of a definition asks.
struct Asked {
    file: PathBuf,
    property: Property,
    expected: Expected,
    subproperty: Option<String>,
}

impl Asked {
    fn task(self, path: &Path, category: &str, files: &[PathBuf], model: DataModel) -> Placed {
        let id = format!("{}:{}", path.display(), self.property.name);
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let columns = [
            ("id", id.clone()),
            ("suite", "svcomp".to_owned()),
            ("category", category.to_owned()),
            ("files", names.join(";")),
            ("data_model", model.to_string()),
            ("cflags", String::new()),
            ("include_dirs", String::new()),
            ("defines", String::new()),
            ("property", self.property.name.to_owned()),
            ("subproperty", self.subproperty.clone().unwrap_or_default()),
            ("expected", self.expected.to_string()),
        ];
        let task = Task {
            id,
            suite: "svcomp".to_owned(),
            category: category.to_owned(),
            files: files.to_vec(),
            data_model: model,
            cflags: String::new(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            property: self.property,
            subproperty: self.subproperty,
            property_file: Some(self.file),
            expected: self.expected,
            columns: columns
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        };
        Placed { task, line: None }
    }
}

fn read_yaml(path: &Path) -> Result<Node, (Option<u64>, String)> {
    let text = fs::read_to_string(path).map_err(|error| (None, error.to_string()))?;
    yaml::read(&text)
}

/// The name of the folder a definition lies in, `loops`.
fn folder_name(path: &Path) -> String {
    path.parent()
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
