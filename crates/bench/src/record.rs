//! The result of a task, and the table of results.
//!
//! The table is a file that only grows while tasks run: one line as each of them ends, written at once. Whatever
//! kills the runner, the lines that are complete count. When all tasks are done, the table is written anew
//! in the order of the task list, beside the old one, and takes its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::answer::Verdict;
use crate::judge::Judgement;
use crate::task::Expected;
use host::ffi;

/// One row of the table of results.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The task.
    pub id: String,
    /// Its suite.
    pub suite: String,
    /// Its category.
    pub category: String,
    /// What was asked.
    pub property: String,
    /// The part that is violated, where the list says so.
    pub subproperty: String,
    /// The verdict that was expected.
    pub expected: Expected,
    /// What the verifier answered.
    pub verdict: Verdict,
    /// What that is worth.
    pub judgement: Judgement,
    /// Why the answer is unknown.
    pub reason: String,
    /// What was measured.
    pub measured: Measured,
    /// The engine that answered.
    pub engine: String,
    /// How the answer was confirmed.
    pub evidence: String,
    /// Seconds by stage.
    pub stages: Vec<(String, f64)>,
    /// What the verifier said about its failure.
    pub message: String,
    /// Marks the question: rows of other questions are not results of this run.
    pub key: String,
}

/// Time and memory of a run.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Measured {
    /// Seconds on the wall.
    pub wall_s: f64,
    /// User and system seconds of all processes.
    pub cpu_s: f64,
    /// The peak of the memory of all processes, in 10^6 bytes.
    pub memory_mb: f64,
}

/// How long to wait for the lock of a table.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// The columns of the table.
pub const COLUMNS: &[&str] = &[
    "id",
    "suite",
    "category",
    "property",
    "subproperty",
    "expected",
    "result",
    "verdict",
    "reason",
    "score",
    "wall_s",
    "cpu_s",
    "memory_mb",
    "engine",
    "evidence",
    "stages",
    "message",
    "key",
];

impl Record {
    /// The points.
    pub fn score(&self) -> i64 {
        self.judgement.score(self.expected)
    }

    /// The reason without its particulars, for counting: `unsupported` of `unsupported: inline assembly`.
    pub fn reason_group(&self) -> &str {
        let end = self.reason.find([':', '(', '@']);
        self.reason[..end.unwrap_or(self.reason.len())].trim_end()
    }

    /// The fields in the order of [`COLUMNS`].
    fn fields(&self) -> Vec<String> {
        let stages: Vec<String> = self
            .stages
            .iter()
            .map(|(name, seconds)| format!("{name}={seconds:.4}"))
            .collect();
        vec![
            self.id.clone(),
            self.suite.clone(),
            self.category.clone(),
            self.property.clone(),
            self.subproperty.clone(),
            self.expected.to_string(),
            self.judgement.to_string(),
            self.verdict.to_string(),
            self.reason.clone(),
            self.score().to_string(),
            format!("{:.4}", self.measured.wall_s),
            format!("{:.4}", self.measured.cpu_s),
            format!("{:.1}", self.measured.memory_mb),
            self.engine.clone(),
            self.evidence.clone(),
            stages.join(";"),
            self.message.clone(),
            self.key.clone(),
        ]
    }

    /// Reads fields in the order of [`COLUMNS`]; the error names the column.
    fn from_fields(fields: &csv::StringRecord) -> Result<Record, &'static str> {
        let index = |name: &str| COLUMNS.iter().position(|column| *column == name);
        let field = |name: &str| {
            index(name)
                .and_then(|index| fields.get(index))
                .unwrap_or("")
        };
        let text = |name: &str| field(name).to_owned();
        let number = |name: &'static str| field(name).parse::<f64>().map_err(|_| name);
        if fields.len() != COLUMNS.len() {
            return Err("key");
        }
        let stages = field("stages").split(';').filter_map(|stage| {
            let (name, seconds) = stage.split_once('=')?;
            Some((name.to_owned(), seconds.parse().ok()?))
        });
        Ok(Record {
            id: text("id"),
            suite: text("suite"),
            category: text("category"),
            property: text("property"),
            subproperty: text("subproperty"),
            expected: Expected::read(field("expected")).ok_or("expected")?,
            verdict: Verdict::read(field("verdict")).ok_or("verdict")?,
            judgement: Judgement::read(field("result")).ok_or("result")?,
            reason: text("reason"),
            measured: Measured {
                wall_s: number("wall_s")?,
                cpu_s: number("cpu_s")?,
                memory_mb: number("memory_mb")?,
            },
            engine: text("engine"),
            evidence: text("evidence"),
            stages: stages.collect(),
            message: text("message"),
            key: text("key"),
        })
    }

    /// The columns by name, for filters.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, String)> {
        COLUMNS.iter().copied().zip(self.fields())
    }

    /// The row as a line of the table, its end included.
    fn line(&self) -> Vec<u8> {
        line_of(&self.fields())
    }
}

fn line_of<T: AsRef<[u8]>>(fields: &[T]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(fields)
        .expect("writing to memory does not fail");
    writer
        .into_inner()
        .expect("writing to memory does not fail")
}

/// Reads a table of results. A last line that was being written when the runner died is left out.
pub fn read_table(path: &Path) -> Result<Vec<Record>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    Ok(read_bytes(&bytes)?.0)
}

/// The rows, and how many bytes of the table they and the header take.
fn read_bytes(bytes: &[u8]) -> Result<(Vec<Record>, usize), String> {
    // No field contains a line break, so lines are rows and only complete lines count.
    let complete = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let header = line_of(COLUMNS);
    if complete == 0 && header.starts_with(bytes) {
        return Ok((Vec::new(), 0));
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(&bytes[..complete]);
    let headers = reader.headers().map_err(|error| error.to_string())?;
    if headers != COLUMNS {
        return Err("not a table of results of this version".to_owned());
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let record = Record::from_fields(&row)
            .map_err(|column| format!("line {line}: bad field in column `{column}`"))?;
        records.push(record);
    }
    Ok((records, complete))
}

/// The table of a run in progress.
pub struct Table {
    path: PathBuf,
    /// Open and locked: two runs must not write the same table.
    file: File,
}

impl Table {
    /// Opens the table. Without `keep` its rows are dropped; with it they are returned. A file that is not a table
    /// of results is left alone.
    pub fn open(path: &Path, keep: Keep) -> Result<(Table, Vec<Record>), String> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| error.to_string())?;
        match lock(&file) {
            Ok(true) => {}
            Ok(false) => return Err("another run is writing it".to_owned()),
            Err(error) => return Err(error.to_string()),
        }
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let (records, length) = match read_bytes(&bytes) {
            Ok(read) => read,
            Err(reason) if keep == Keep::Rows => return Err(reason),
            // An old table may have had other columns; anything else is not ours to overwrite.
            Err(_) if bytes.starts_with(b"id,suite,category,property,") => (Vec::new(), 0),
            Err(_) => return Err("exists, and is not a table of results".to_owned()),
        };
        let (records, length) = match keep {
            Keep::Rows => (records, length),
            Keep::Nothing => (Vec::new(), 0),
        };
        let mut begin = || -> io::Result<()> {
            file.set_len(length as u64)?;
            file.seek(SeekFrom::End(0))?;
            if length == 0 {
                file.write_all(&line_of(COLUMNS))?;
            }
            Ok(())
        };
        begin().map_err(|error| error.to_string())?;
        let path = path.to_owned();
        Ok((Table { path, file }, records))
    }

    /// Adds a row; it is in the file when this returns.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        self.file.write_all(&record.line())
    }

    /// Replaces the table by these rows in this order.
    pub fn finish(self, records: &[Record]) -> io::Result<()> {
        let mut bytes = line_of(COLUMNS);
        for record in records {
            bytes.extend(record.line());
        }
        replace(&self.path, &bytes)
    }
}

/// Takes the lock of a table; false if another run has it. A run that was killed a moment ago may have been
/// starting a task, and the process for it holds the lock until it executes the verifier: hence the patience.
fn lock(file: &File) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        let locked = ffi::try_lock(file)?;
        if locked || begun.elapsed() > LOCK_PATIENCE {
            return Ok(locked);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// What becomes of the rows of a table that exists already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// They are results of this run.
    Rows,
    /// They are in the way.
    Nothing,
}

/// Writes a file beside its place and moves it there, so that a reader finds the old or the new one whole.
/// What is no regular file, `/dev/stdout` for one, is written to directly.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if special {
        return fs::write(path, bytes);
    }
    // A link stays a link; what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::{Keep, Measured, Record, Table, line_of, read_bytes};
    use crate::answer::Verdict;
    use crate::judge::Judgement;
    use crate::task::Expected;

    fn record(id: &str, reason: &str) -> Record {
        Record {
            id: id.to_owned(),
            suite: "s,1".to_owned(),
            category: "a \"b\"".to_owned(),
            property: "unreach-call".to_owned(),
            subproperty: String::new(),
            expected: Expected::False,
            verdict: Verdict::Unknown(reason.to_owned()),
            judgement: Judgement::Unknown,
            reason: reason.to_owned(),
            measured: Measured {
                wall_s: 1.5,
                cpu_s: 0.25,
                memory_mb: 12.5,
            },
            engine: "bmc".to_owned(),
            evidence: String::new(),
            stages: vec![("parse".to_owned(), 0.5), ("solve".to_owned(), 1.0)],
            message: String::new(),
            key: "0".to_owned(),
        }
    }

    proptest! {
        #[test]
        fn rows_are_read_back_and_torn_ones_left_out(
            ids in proptest::collection::vec("[a-z,\" é]{1,8}", 0..5),
            cut in 0usize..2000,
        ) {
            let records: Vec<Record> = ids.iter().map(|id| record(id, "loop, \"x\"")).collect();
            let mut bytes = line_of(super::COLUMNS);
            let mut ends = vec![bytes.len()];
            for record in &records {
                bytes.extend(record.line());
                ends.push(bytes.len());
            }
            prop_assert_eq!(read_bytes(&bytes).expect("our own").0, records.clone());
            let cut = cut.min(bytes.len());
            let whole = ends.iter().filter(|end| **end <= cut).count();
            let (read, length) = read_bytes(&bytes[..cut]).expect("a prefix of our own");
            prop_assert_eq!(&read[..], &records[..whole.saturating_sub(1)]);
            prop_assert_eq!(length, if whole == 0 { 0 } else { ends[whole - 1] });
        }
    }

    #[test]
    fn a_foreign_file_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tasks.csv");
        fs::write(&path, "id,files\n1,a.c\n").expect("written");
        for keep in [Keep::Rows, Keep::Nothing] {
            assert!(Table::open(&path, keep).is_err());
        }
        assert_eq!(
            fs::read_to_string(&path).expect("still there"),
            "id,files\n1,a.c\n"
        );
    }

    #[test]
    fn a_table_is_written_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.csv");
        let (mut table, rows) = Table::open(&path, Keep::Rows).expect("new");
        assert!(rows.is_empty());
        let error = Table::open(&path, Keep::Rows).err().expect("locked");
        assert_eq!(error, "another run is writing it");
        table.append(&record("b", "x")).expect("written");
        table.append(&record("a", "x")).expect("written");
        drop(table);
        let (table, rows) = Table::open(&path, Keep::Rows).expect("free again");
        assert_eq!(rows, [record("b", "x"), record("a", "x")]);
        table
            .finish(&[record("a", "x"), record("b", "x")])
            .expect("written");
        let rows = super::read_table(&path).expect("whole");
        assert_eq!(rows, [record("a", "x"), record("b", "x")]);
    }
}
