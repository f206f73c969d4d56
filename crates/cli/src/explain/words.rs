//! What the words of a report mean: statuses, and reasons why there is no answer.

use results::{Reason, Status};

/// Every status and every reason, by an example of each. The matches below do not compile when one is missing there; a test
/// finds out when one is missing here.
pub fn all() -> Vec<Status> {
    let reasons = [
        Reason::Timeout,
        Reason::Memory,
        Reason::Unsupported(String::new()),
        Reason::Unconfirmed,
        Reason::Bounded,
        Reason::Solver(String::new()),
        Reason::Undefined,
        Reason::Layout,
        Reason::Invariant,
        Reason::ExternPointer,
        Reason::Precondition(String::new()),
        Reason::Interrupted,
    ];
    let statuses = [
        Status::Proved,
        Status::ProvedBounded(0),
        Status::Violated,
        Status::Unreachable,
        Status::Vacuous,
    ];
    let unknown = reasons.into_iter().map(Status::Unknown);
    statuses.into_iter().chain(unknown).collect()
}

/// The word for it, in lower case and without what belongs to one report.
pub fn word(status: &Status) -> &'static str {
    match status {
        Status::Proved => "proved",
        Status::ProvedBounded(_) => "proved-bounded",
        Status::Violated => "violated",
        Status::Unreachable => "unreachable",
        Status::Vacuous => "vacuous",
        Status::Unknown(reason) => match reason {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Unsupported(_) => "unsupported",
            Reason::Unconfirmed => "unconfirmed",
            Reason::Bounded => "bounded",
            Reason::Solver(_) => "solver",
            Reason::Undefined => "undefined",
            Reason::Layout => "layout",
            Reason::Invariant => "no-invariant",
            Reason::ExternPointer => "extern-pointer",
            Reason::Precondition(_) => "precondition",
            Reason::Interrupted => "interrupted",
        },
    }
}

/// What it means, and what to do about it.
pub fn meaning(status: &Status) -> (&'static str, &'static str) {
    match status {
        Status::Proved => (
            "No execution violates it, however often loops iterate, under what the report says it rests on.",
            "Read the list after `rests on:`.",
        ),
        Status::ProvedBounded(_) => (
            "No execution violates it in which loops iterate at most so often; others were not looked at.",
            "Raise the bound (--unwind, --unwind-set), bound the loop by an assumption, or state what its rounds keep (sk_invariant).",
        ),
        Status::Violated => (
            "An execution violates it. It was run by the interpreter, and the report shows where it is then and what variables hold.",
            "Mend the program. `--json` has all choices of the execution.",
        ),
        Status::Unreachable => (
            "No execution comes to this place.",
            "Nothing has to be done; if the code is meant to be reached, an assumption or a condition before it is too strong.",
        ),
        Status::Vacuous => (
            "An assertion of yours that no execution comes to: it holds because nothing ever asks it.",
            "Look for an assumption that nothing satisfies. `--fail-on vacuous` makes it an error.",
        ),
        Status::Unknown(reason) => match reason {
            Reason::Timeout => (
                "The time was over.",
                "Raise --timeout, ask for less (--only, --check), or bound loops by assumptions.",
            ),
            Reason::Memory => (
                "The memory was used up.",
                "Raise --memory-limit, or ask for less (--only, --check).",
            ),
            Reason::Unsupported(_) => (
                "A construct that is not modelled can be reached; the report names it.",
                "Write a model of it (docs/how-to/model-a-function.md), or keep executions away from it.",
            ),
            Reason::Unconfirmed => (
                "A counterexample did not replay, or a proof was contradicted: a fault of Selkie, which is not hidden.",
                "Please report it, with what --save keeps.",
            ),
            Reason::Bounded => (
                "Nothing is violated within the bounds, which do not cover everything.",
                "Raise the bounds that the report names, or state what a loop's rounds keep (sk_invariant).",
            ),
            Reason::Solver(_) => (
                "A solver gave up, and said why.",
                "Try another one: --solver z3.",
            ),
            Reason::Undefined => (
                "It is violated, but only by executions that overflow a signed integer before, which C leaves undefined.",
                "--overflow checked shows where; --overflow wraps says that it is meant to wrap; --overflow ends, that it does not happen.",
            ),
            Reason::Layout => (
                "It holds where objects lie as they were placed, and perhaps not where they lie elsewhere.",
                "Look at the places that the report names: there addresses are compared, or become numbers.",
            ),
            Reason::Invariant => (
                "No invariant was found that proves it.",
                "State what the loop's rounds keep (sk_invariant), or let another engine look (--engine auto).",
            ),
            Reason::ExternPointer => (
                "It fails only for a pointer from a function without a body that leads to no object of the program.",
                "--extern-pointers valid if such pointers may be followed, or a model of the function.",
            ),
            Reason::Precondition(_) => (
                "The entry is right only if its callers keep to something that was not said: a size, a terminator.",
                "Say it with the --param that the report names, or make the function safe without it.",
            ),
            Reason::Interrupted => (
                "The work was stopped from outside, or ended before anybody came to it.",
                "Run it again, to the end.",
            ),
        },
    }
}

/// The text for a word, as a report may write it: `UNKNOWN(layout)`, `unknown(layout)`, `layout`, `Proved-Bounded(3)`.
pub fn explain(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let lower = lower.trim();
    let inner = lower
        .strip_prefix("unknown(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(lower);
    let inner = inner.split([':', '(']).next().unwrap_or(inner).trim();
    if inner == "unknown" {
        let mut out = String::from(
            "unknown: there is no answer, and the reason says why; an honest unknown is no fault of the program\n\n",
        );
        for status in all() {
            if matches!(status, Status::Unknown(_)) {
                let (what, _) = meaning(&status);
                out.push_str(&format!("  {:<16} {what}\n", word(&status)));
            }
        }
        return Some(out);
    }
    // As `explain` lists it, or as a report writes it.
    let spelled = |status: &Status| match status {
        Status::Unknown(reason) => reason.to_string(),
        other => other.to_string().to_lowercase(),
    };
    let same = |status: &Status| {
        word(status) == inner || spelled(status).split([':', '(']).next() == Some(inner)
    };
    let status = all().into_iter().find(same)?;
    let (what, next) = meaning(&status);
    let kind = match status {
        Status::Unknown(_) => "a reason of UNKNOWN",
        _ => "a status",
    };
    Some(format!(
        "{}: {kind}\n\n{what}\n\nnext step       {next}\n",
        word(&status)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_reports_write_them() {
        for status in all() {
            let written = status.to_string();
            let (what, _) = meaning(&status);
            assert!(
                explain(&written).is_some_and(|text| text.contains(what)),
                "{written}"
            );
            assert!(explain(word(&status)).is_some_and(|text| text.contains(what)));
        }
        assert!(explain("UNKNOWN(precondition: p: 4 elements)").is_some());
        assert!(explain("unknown(unsupported: x)").is_some());
        assert!(explain("unknown").is_some_and(|text| text.contains("layout")));
        assert!(explain("nonsense").is_none());
    }

    #[test]
    fn every_word_is_there_once() {
        let mut words: Vec<&str> = all().iter().map(word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all().len());
    }
}
