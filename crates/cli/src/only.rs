//! `--only`: some obligations are asked for, and the others are not.
//!
//! The others are no part of the verdict. Their checks stay in the program as assumptions ([`passes::only`]): an execution that
//! violates one of them ends there, as it always does.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use base::Map;
use checks::registry::{self, CheckId};
use ir::syntax::Obligation;
use passes::only::{Others, ask_only};
use results::{Claim, Failure};

use crate::args::{AfterFailure, VerifyArgs};
use crate::pipeline::Program;

/// How many names an error lists.
const LISTED: usize = 8;

/// Leaves the obligations that the command line asks for, and those of monitors.
pub fn restrict(
    args: &VerifyArgs,
    monitors: &BTreeSet<CheckId>,
    program: &mut Program,
) -> Result<(), Failure> {
    if args.only.is_empty() {
        return Ok(());
    }
    if !program.module.facts.is_empty() {
        return Err(Failure::usage("--only does not take a program with facts"));
    }
    let claims = program.claims().claims.clone();
    let mut asked: Map<Obligation, bool> = claims
        .values()
        .map(|claim| claim.internal || monitors.contains(&claim.check))
        .collect();
    for wanted in &args.only {
        let chosen = choose(wanted.trim(), &claims)?;
        chosen
            .into_iter()
            .for_each(|obligation| asked[obligation] = true);
    }
    if asked.values().all(|&asked| asked) {
        return Ok(());
    }
    let names = args.only.join(", ");
    let others = match args.input.after_failure {
        AfterFailure::Stop => Others::End,
        AfterFailure::Continue => Others::GoOn,
    };
    let note = match others {
        Others::End => {
            format!(
                "asked for: {names}; executions count up to where they violate another obligation"
            )
        }
        Others::GoOn => {
            format!("asked for: {names}; executions go on where they violate another obligation")
        }
    };
    ask_only(&mut program.module, &asked, others);
    program.module.notes.push(note);
    program.module.notes.sort();
    program.claims = OnceCell::new();
    Ok(())
}

/// The obligations that a word stands for: at least one.
fn choose(wanted: &str, claims: &Map<Obligation, Claim>) -> Result<Vec<Obligation>, Failure> {
    let known = || claims.iter().filter(|(_, claim)| !claim.internal);
    let refused = |why: String| Failure::usage(format!("--only {wanted}: {why}"));
    let select = |is: &dyn Fn(&Claim) -> bool| -> Vec<Obligation> {
        let chosen = known().filter(|(_, claim)| is(claim));
        chosen.map(|(obligation, _)| obligation).collect()
    };
    if known().next().is_none() {
        return Err(refused("the program has no obligations".to_owned()));
    }
    let by_id = select(&|claim| claim.id == wanted);
    if !by_id.is_empty() {
        return Ok(by_id);
    }
    let (file, line) = match wanted.rsplit_once(':') {
        Some((file, line)) => (Some(file), line),
        None => (None, wanted),
    };
    if let Ok(line) = line.parse::<u32>() {
        let in_file = |claim: &Claim| {
            let place = claim.place.as_ref()?;
            let right = file.is_none_or(|file| std::path::Path::new(&*place.file).ends_with(file));
            right.then_some(place.line)
        };
        let chosen = select(&|claim| in_file(claim) == Some(line));
        if !chosen.is_empty() {
            return Ok(chosen);
        }
        let lines: BTreeSet<u32> = known().filter_map(|(_, claim)| in_file(claim)).collect();
        let near = nearest(&lines, line);
        return Err(refused(match near.is_empty() {
            true => "no obligation stands in such a file".to_owned(),
            false => format!(
                "no obligation stands there; the next are at {}",
                near.join(", ")
            ),
        }));
    }
    if let Some(checks) = registry::expand(wanted) {
        let chosen = select(&|claim| checks.contains(&claim.check));
        if !chosen.is_empty() {
            return Ok(chosen);
        }
        let there: BTreeSet<CheckId> = known().map(|(_, claim)| claim.check).collect();
        let there: Vec<&str> = there.into_iter().map(CheckId::name).collect();
        let list = there.join(", ");
        return Err(refused(format!(
            "the program has no obligation of that check, only of {list}"
        )));
    }
    let ids: Vec<&str> = known().map(|(_, claim)| claim.id.as_str()).collect();
    let more = match ids.len().saturating_sub(LISTED) {
        0 => String::new(),
        number => format!(" and {number} more"),
    };
    let list = ids[..ids.len().min(LISTED)].join(", ");
    Err(refused(format!(
        "there is no such obligation, line or check; obligations are {list}{more} (`selkie list --show obligations`)"
    )))
}

/// The lines next to one, as text, in order.
fn nearest(lines: &BTreeSet<u32>, line: u32) -> Vec<String> {
    let mut near: Vec<u32> = lines.iter().copied().collect();
    near.sort_by_key(|&other| other.abs_diff(line));
    near.truncate(LISTED);
    near.sort_unstable();
    let text = near.iter().map(|line| format!("line {line}"));
    text.collect()
}
