//! What is seen while tasks run: a live line on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::judge::Judgement;
use crate::record::Record;

/// How often a line comes where there is no terminal.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// How often the live line is drawn.
const FRAME: Duration = Duration::from_millis(200);

/// Where progress goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A line that is drawn over itself.
    Live,
    /// Lines below each other, seldom.
    Heartbeat,
    /// Nowhere.
    Silent,
}

impl Style {
    /// The style for standard error as it is.
    pub fn of_stderr() -> Style {
        if io::stderr().is_terminal() {
            Style::Live
        } else {
            Style::Heartbeat
        }
    }
}

/// Counts results and shows them on standard error.
pub struct Progress {
    style: Style,
    tasks: usize,
    right: usize,
    wrong: usize,
    unknown: usize,
    /// Done in this run; the others were done before an interruption.
    done_here: usize,
    started: Instant,
    shown: Instant,
}

impl Progress {
    /// Begins with the results that are there already.
    pub fn new(style: Style, tasks: usize, before: &[Record]) -> Progress {
        let now = Instant::now();
        let mut progress = Progress {
            style,
            tasks,
            right: 0,
            wrong: 0,
            unknown: 0,
            done_here: 0,
            started: now,
            shown: now,
        };
        for record in before {
            progress.count(record.judgement);
        }
        progress
    }

    /// Counts a new result; a wrong one is told at once.
    pub fn add(&mut self, record: &Record) {
        self.count(record.judgement);
        self.done_here += 1;
        if record.judgement == Judgement::Wrong && self.style != Style::Silent {
            self.clear();
            // Progress is a courtesy: a closed standard error must not stop a run.
            let _ = writeln!(
                io::stderr(),
                "wrong: {}: expected {}, answered {}",
                record.id,
                record.expected,
                record.verdict
            );
        }
    }

    /// Shows the state if it is time to.
    pub fn show(&mut self) {
        let pause = match self.style {
            Style::Silent => return,
            Style::Live => FRAME,
            Style::Heartbeat => HEARTBEAT,
        };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let line = self.line(self.started.elapsed());
        let mut stderr = io::stderr();
        let _ = match self.style {
            Style::Live => write!(stderr, "\r\x1b[K{line}"),
            _ => writeln!(stderr, "bench: {line}"),
        };
        let _ = stderr.flush();
    }

    /// Removes the live line.
    pub fn clear(&self) {
        if self.style == Style::Live {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn count(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Right => self.right += 1,
            Judgement::Wrong => self.wrong += 1,
            Judgement::Unknown => self.unknown += 1,
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let done = self.right + self.wrong + self.unknown;
        let left = self.tasks.saturating_sub(done);
        let remaining = match self.done_here {
            0 => "time left unknown".to_owned(),
            done_here => {
                let each = elapsed.as_secs_f64() / done_here as f64;
                format!("about {} left", span(each * left as f64))
            }
        };
        format!(
            "{done} of {}: {} right, {} wrong, {} unknown, {remaining}",
            self.tasks, self.right, self.wrong, self.unknown
        )
    }
}

/// Seconds as people say them.
pub fn span(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 if seconds < 0.995 => format!("{seconds:.2} s"),
        0..60 if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Progress, Style, span};
    use crate::judge::Judgement;

    #[test]
    fn spans_read_well() {
        for (seconds, expected) in [
            (0.04, "0.04 s"),
            (0.996, "1.0 s"),
            (3.12, "3.1 s"),
            (9.97, "10 s"),
            (59.4, "59 s"),
            (59.6, "1 min 00 s"),
            (125.0, "2 min 05 s"),
            (7260.0, "2 h 01 min"),
        ] {
            assert_eq!(span(seconds), expected);
        }
    }

    #[test]
    fn the_line_counts_and_estimates() {
        let mut progress = Progress::new(Style::Silent, 10, &[]);
        let elapsed = Duration::from_secs(30);
        assert_eq!(
            progress.line(elapsed),
            "0 of 10: 0 right, 0 wrong, 0 unknown, time left unknown"
        );
        progress.count(Judgement::Right);
        progress.count(Judgement::Wrong);
        progress.done_here = 1;
        assert_eq!(
            progress.line(elapsed),
            "2 of 10: 1 right, 1 wrong, 0 unknown, about 4 min 00 s left"
        );
    }
}
