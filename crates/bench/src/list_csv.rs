//! Task lists as tables: the columns of the contract, any others beside them.
//!
//! `files`, `include_dirs` and `defines` hold several entries separated by `;`. Paths are relative to the
//! folder of the list. Columns that the contract does not name (`suite`, `category`, `tags`, …) may be
//! filtered on; `suite` and `category` also group the summary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use csv::StringRecord;

use crate::property::Property;
use crate::task::{DataModel, Expected, ListError, Placed, Task};

/// The columns without which a table is no task list.
pub const REQUIRED: &[&str] = &[
    "id",
    "files",
    "data_model",
    "cflags",
    "include_dirs",
    "defines",
    "property",
    "subproperty",
    "expected",
];

/// Reads a table; what is wrong with it goes to `errors`.
pub(crate) fn read(list: &Path, errors: &mut Vec<ListError>) -> Vec<Placed> {
    let mut reader = match csv::ReaderBuilder::new().flexible(true).from_path(list) {
        Ok(reader) => reader,
        Err(error) => {
            errors.push(ListError::whole(list, error.to_string()));
            return Vec::new();
        }
    };
    let headers = match reader.headers() {
        Ok(headers) => headers.clone(),
        Err(error) => {
            errors.push(ListError::at(list, 1, error.to_string()));
            return Vec::new();
        }
    };
    let before = errors.len();
    for required in REQUIRED {
        if !headers.iter().any(|header| header == *required) {
            let reason = format!("missing column `{required}`");
            errors.push(ListError::at(list, 1, reason));
        }
    }
    for (index, header) in headers.iter().enumerate() {
        if headers.iter().take(index).any(|other| other == header) {
            errors.push(ListError::at(list, 1, format!("column `{header}` twice")));
        }
    }
    if errors.len() > before {
        return Vec::new();
    }
    let mut rows = Vec::new();
    let mut record = StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = record.position().map_or(0, |position| position.line());
                let row = Row::new(list, &headers, &record);
                match row.and_then(|row| row.task()) {
                    Ok(task) => rows.push(Placed {
                        task,
                        line: Some(line),
                    }),
                    Err(reasons) => {
                        errors.extend(
                            reasons
                                .into_iter()
                                .map(|reason| ListError::at(list, line, reason)),
                        );
                    }
                }
            }
            Err(error) => {
                let line = error.position().map(csv::Position::line);
                let reason = match error.kind() {
                    csv::ErrorKind::Utf8 { .. } => "not UTF-8".to_owned(),
                    _ => error.to_string(),
                };
                errors.push(ListError {
                    list: list.to_owned(),
                    line,
                    reason,
                });
                if error.is_io_error() {
                    break;
                }
            }
        }
    }
    if rows.is_empty() && errors.len() == before {
        errors.push(ListError::whole(list, "no task in it"));
    }
    rows
}

/// A row being read.
struct Row<'a> {
    list: &'a Path,
    columns: BTreeMap<String, String>,
}

impl<'a> Row<'a> {
    fn new(
        list: &'a Path,
        headers: &StringRecord,
        record: &StringRecord,
    ) -> Result<Row<'a>, Vec<String>> {
        if record.len() != headers.len() {
            let (fields, columns) = (record.len(), headers.len());
            return Err(vec![format!("{fields} fields for {columns} columns")]);
        }
        let columns = headers
            .iter()
            .zip(record.iter())
            .map(|(header, field)| (header.to_owned(), field.to_owned()))
            .collect();
        Ok(Row { list, columns })
    }

    fn column(&self, name: &str) -> &str {
        self.columns.get(name).map_or("", String::as_str)
    }

    /// The entries of a column with several, paths resolved against the folder of the list.
    fn paths(&self, name: &str) -> Vec<PathBuf> {
        let folder = self.list.parent().unwrap_or(Path::new(""));
        entries(self.column(name))
            .map(|entry| folder.join(entry))
            .collect()
    }

    /// The task, or everything that is wrong with the row.
    fn task(self) -> Result<Task, Vec<String>> {
        let mut reasons = Vec::new();
        let id = self.column("id").to_owned();
        if id.is_empty() || id.chars().any(char::is_control) {
            reasons.push(format!("bad id `{}`", id.escape_debug()));
        }
        let files = self.paths("files");
        if files.is_empty() {
            reasons.push("no files".to_owned());
        }
        for file in files.iter().filter(|file| !file.is_file()) {
            reasons.push(format!("missing file `{}`", file.display()));
        }
        let include_dirs = self.paths("include_dirs");
        for folder in include_dirs.iter().filter(|folder| !folder.is_dir()) {
            reasons.push(format!("missing folder `{}`", folder.display()));
        }
        let data_model = DataModel::read(self.column("data_model"));
        if data_model.is_none() {
            let found = self.column("data_model");
            reasons.push(format!("bad data model `{found}`: expected ILP32 or LP64"));
        }
        let property = Property::find(self.column("property"));
        let subproperty = Some(self.column("subproperty").to_owned()).filter(|sub| !sub.is_empty());
        match &property {
            None => {
                let found = self.column("property");
                let known = Property::names().join(", ");
                reasons.push(format!("unknown property `{found}`: expected {known}"));
            }
            Some(property) => {
                let foreign = |sub: &&String| !property.violations.contains(&sub.as_str());
                if let Some(sub) = subproperty.as_ref().filter(foreign) {
                    let name = property.name;
                    reasons.push(format!("`{sub}` is no subproperty of `{name}`"));
                }
            }
        }
        let expected = Expected::read(self.column("expected"));
        if expected.is_none() {
            let found = self.column("expected");
            reasons.push(format!("bad verdict `{found}`: expected true or false"));
        }
        let (Some(data_model), Some(property), Some(expected), true) =
            (data_model, property, expected, reasons.is_empty())
        else {
            return Err(reasons);
        };
        let suite = match self.columns.get("suite") {
            Some(suite) => suite.clone(),
            None => stem(self.list),
        };
        Ok(Task {
            id,
            suite,
            category: self.column("category").to_owned(),
            files,
            data_model,
            cflags: self.column("cflags").trim().to_owned(),
            include_dirs,
            defines: entries(self.column("defines")).map(str::to_owned).collect(),
            property,
            subproperty,
            property_file: None,
            expected,
            columns: self.columns,
        })
    }
}

/// The name of a list without its ending.
pub(crate) fn stem(list: &Path) -> String {
    list.file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn entries(field: &str) -> impl Iterator<Item = &str> {
    field
        .split(';')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}
