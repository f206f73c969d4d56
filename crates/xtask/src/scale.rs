//! Time against size: what `selkie bench` measured on programs that come in several sizes, as a table and as a plot.
//!
//! A task is named `NAME/SIZE`. A row of the table is a name, a column a size, a cell the processor time in seconds; the last
//! column is how much longer each further step of size takes, as the geometric mean over the sizes whose time is above
//! [`COUNTS`]: below, it is the time to start.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

/// Times that say something about growth, in seconds.
const COUNTS: f64 = 0.3;

/// What was measured: by name and size, the time, and whether the answer was right.
#[derive(Default)]
pub struct Scale {
    cells: BTreeMap<String, BTreeMap<u32, (f64, bool)>>,
}

impl Scale {
    /// Reads the results of a run.
    pub fn read(results: &Path) -> Result<Scale> {
        let mut reader = csv::Reader::from_path(results)
            .with_context(|| format!("cannot read {}", results.display()))?;
        let headers = reader.headers()?.clone();
        let column = |name: &str| {
            let place = headers.iter().position(|header| header == name);
            place.with_context(|| format!("no column {name} in {}", results.display()))
        };
        let (id, result, time) = (column("id")?, column("result")?, column("cpu_s")?);
        let mut scale = Scale::default();
        for row in reader.records() {
            let row = row?;
            let Some((name, size)) = row[id].rsplit_once('/') else {
                continue;
            };
            let Ok(size) = size.parse() else { continue };
            let seconds = row[time].parse().context("a time is a number")?;
            let sizes = scale.cells.entry(name.to_owned()).or_default();
            sizes.insert(size, (seconds, &row[result] == "right"));
        }
        Ok(scale)
    }

    /// The growth of a name for each step of size, if there are two times to compare.
    fn growth(sizes: &BTreeMap<u32, (f64, bool)>) -> Option<f64> {
        let right = sizes
            .iter()
            .filter(|(_, (time, right))| *right && *time >= COUNTS);
        let times: Vec<(u32, f64)> = right.map(|(&size, &(time, _))| (size, time)).collect();
        let (&(first, begin), &(last, end)) = (times.first()?, times.last()?);
        (last > first).then(|| (end / begin).powf(1.0 / f64::from(last - first)))
    }

    /// The table, in Markdown. A time in brackets is one without an answer.
    pub fn table(&self) -> String {
        let sizes: BTreeSet<u32> = self
            .cells
            .values()
            .flat_map(|row| row.keys().copied())
            .collect();
        let mut text = String::from("| program |");
        for size in &sizes {
            let _ = write!(text, " {size} |");
        }
        text.push_str(" growth |\n|---|");
        text.push_str(&"---|".repeat(sizes.len() + 1));
        text.push('\n');
        for (name, row) in &self.cells {
            let _ = write!(text, "| {name} |");
            for size in &sizes {
                match row.get(size) {
                    Some((time, true)) => _ = write!(text, " {time:.1} |"),
                    Some((time, false)) => _ = write!(text, " ({time:.0}) |"),
                    None => text.push_str(" |"),
                }
            }
            match Scale::growth(row) {
                Some(growth) => _ = writeln!(text, " {growth:.1} |"),
                None => text.push_str(" |\n"),
            }
        }
        text
    }

    /// The plot, as SVG: sizes to the right, the logarithm of the time upwards.
    pub fn plot(&self) -> String {
        let (width, height, low, high) = (640.0, 400.0, 0.05f64, 200.0f64);
        let most = self.cells.values().flat_map(|row| row.keys()).max();
        let most = f64::from(most.copied().unwrap_or(1));
        let across = |size: f64| 50.0 + size / most * (width - 190.0);
        let up = |time: f64| {
            let share = (time.clamp(low, high) / low).ln() / (high / low).ln();
            height - 30.0 - share * (height - 50.0)
        };
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n"
        );
        for time in [0.1, 1.0, 10.0, 100.0] {
            let y = up(time);
            let _ = writeln!(
                text,
                "<line x1=\"50\" x2=\"{}\" y1=\"{y:.0}\" y2=\"{y:.0}\" stroke=\"#ddd\"/><text x=\"8\" y=\"{:.0}\">{time} s</text>",
                across(most),
                y + 4.0
            );
        }
        for (number, (name, row)) in self.cells.iter().enumerate() {
            let colour = format!("hsl({},70%,40%)", number * 360 / self.cells.len().max(1));
            let mut points = String::new();
            let mut end = None;
            for (&size, &(time, right)) in row {
                if right {
                    let (x, y) = (across(f64::from(size)), up(time));
                    let _ = write!(points, "{x:.0},{y:.0} ");
                    end = Some((x, y));
                }
            }
            if let Some((x, y)) = end {
                let _ = writeln!(
                    text,
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\"/><text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
                    x + 4.0,
                    y + 4.0
                );
            }
        }
        text.push_str("</svg>\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn a_table_has_a_row_for_each_program_and_its_growth() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("results.csv");
        let rows = "id,result,cpu_s\na/1,right,0.1\na/2,right,1.0\na/4,right,9.0\nb/1,unknown,30\n";
        std::fs::write(&file, rows).expect("written");
        let scale = Scale::read(&file).expect("it is read");
        let table = scale.table();
        assert!(table.contains("| a | 0.1 | 1.0 | 9.0 | 3.0 |"), "{table}");
        assert!(table.contains("| b | (30) | | | |"), "{table}");
        let plot = scale.plot();
        assert!(plot.contains(">a</text>") && !plot.contains(">b</text>"));
    }
}
