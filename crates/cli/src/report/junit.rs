//! The report for test runners: JUnit's XML, as Jenkins, GitLab and GitHub's actions read it.
//!
//! It keeps to the schema of Jenkins (`junit-10.xsd`), which is the strictest of those that read it; a test has its rules.
//! A suite is a function, a case an obligation. A violation is a failure; what is not proved is skipped, with the reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use results::{Status, Violation};

use super::{Format, Report};

/// `--junit`.
pub const FORMAT: Format = Format {
    option: "junit",
    help: "Write a test case for each obligation, as JUnit does (`-` is standard output)",
    render,
};

/// A suite that is being written.
#[derive(Default)]
struct Suite {
    cases: String,
    file: String,
    tests: usize,
    failures: usize,
    skipped: usize,
}

fn render(report: &Report<'_>) -> String {
    let results = report.results;
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    for (_, claim, status) in results.shown() {
        let suite = suites.entry(claim.func()).or_default();
        suite.tests += 1;
        let _ = write!(
            suite.cases,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(claim.func()),
            escaped(&format!("{} {}", claim.id, claim.text)),
        );
        if let Some(place) = claim.place.as_ref().filter(|_| suite.file.is_empty()) {
            suite.file.push_str(&place.file);
        }
        match status {
            Status::Proved | Status::Unreachable => {}
            Status::Violated => {
                suite.failures += 1;
                let mut found = results.outcome.violations.iter();
                let found = found.find(|violation| violation.claim.id == claim.id);
                let text = found.map(|violation| violation.failure.explanation.to_string());
                let place = found.map_or(claim.place.as_ref(), Violation::place);
                let at = place.map(ToString::to_string).unwrap_or_default();
                let _ = write!(
                    suite.cases,
                    "<failure type=\"{}\" message=\"{}\">{}</failure>",
                    escaped(&claim.property),
                    escaped(&format!("{at}: {}", claim.text)),
                    escaped(&text.unwrap_or_default()),
                );
            }
            Status::Vacuous | Status::ProvedBounded(_) | Status::Unknown(_) => {
                suite.skipped += 1;
                let reason = escaped(&status.to_string());
                let _ = write!(suite.cases, "<skipped message=\"{reason}\"/>");
            }
        }
        suite.cases.push_str("</testcase>\n");
    }
    // Work that could not be done is an error, also if not a single obligation is known.
    let errors = usize::from(report.failure().is_some());
    if let Some(failure) = report.failure() {
        let suite = suites.entry("selkie").or_default();
        suite.tests += 1;
        let _ = writeln!(
            suite.cases,
            "    <testcase classname=\"selkie\" name=\"verify\"><error message=\"{}\"/></testcase>",
            escaped(&failure)
        );
    }
    let total = |count: &dyn Fn(&Suite) -> usize| suites.values().map(count).sum::<usize>();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"selkie\" tests=\"{}\" failures=\"{}\" errors=\"{errors}\" time=\"{:.3}\">",
        total(&|suite| suite.tests),
        total(&|suite| suite.failures),
        report.time.as_secs_f64(),
    );
    for (name, suite) in &suites {
        let errors = usize::from(*name == "selkie" && errors > 0);
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{errors}\" skipped=\"{}\" file=\"{}\">",
            escaped(name),
            suite.tests,
            suite.failures,
            suite.skipped,
            escaped(&suite.file),
        );
        out.push_str(&suite.cases);
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Text in XML. What XML cannot say at all is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_is_written_as_xml_has_it() {
        assert_eq!(
            escaped("a < b && \"c\"\n\u{1}"),
            "a &lt; b &amp;&amp; &quot;c&quot;&#10;"
        );
    }
}
