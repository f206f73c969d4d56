//! The bounded engine's settings, from the command line.

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::time::Duration;

use encode::encoding::{Allocator, Encoding, Techniques, Word};
use encode::eval::maps::MapLimits;
use results::Failure;
use rustc_hash::FxHashMap;

use super::Entry;
use crate::args::{
    AfterFailure, AllocStyle, CallStyle, Certify, FailOn, FmapArg, VcStyle, VerifyArgs, WordSize,
};
use crate::pipeline::Program;

/// `--engine bmc`.
pub const BMC: Entry = Entry {
    name: bmc::BMC,
    about: "Bounded model checking",
    make: |args, program| {
        if matches!(args.calls, Some(CallStyle::Inline | CallStyle::Summary)) {
            let message = "--calls is about proofs, which --engine bmc does not make of recursion";
            return Err(Failure::usage(message));
        }
        let options = options(args, program)?;
        Ok(Box::new(bmc::Bmc { options }))
    },
};

/// `--engine kind`.
pub const KIND: Entry = Entry {
    name: bmc::KIND,
    about: "The same, with k-induction for loops that no bound ends",
    make: |args, program| {
        let options = bmc::Options {
            induction: true,
            ..options(args, program)?
        };
        Ok(Box::new(bmc::Bmc { options }))
    },
};

pub(super) fn options(args: &VerifyArgs, program: &Program) -> Result<bmc::Options, Failure> {
    let unwind = match args.unwind.as_str() {
        "auto" => None,
        number => {
            let parsed = number.parse::<u32>();
            Some(parsed.map_err(|_| {
                Failure::usage(format!("--unwind takes a number or `auto`, not `{number}`"))
            })?)
        }
    };
    let names = ir::loop_names::of_module(&program.module);
    let mut unwind_loops = FxHashMap::default();
    for setting in &args.unwind_set {
        let parsed = setting
            .split_once('=')
            .and_then(|(name, n)| Some((name, n.parse::<u32>().ok()?)));
        let Some((name, bound)) = parsed else {
            return Err(Failure::usage(format!(
                "--unwind-set takes LOOP=N, not `{setting}`"
            )));
        };
        if !names.iter().any(|known| known.name == name) {
            let message =
                format!("there is no loop `{name}`; `selkie list --show loops` lists them");
            return Err(Failure::usage(message));
        }
        unwind_loops.insert(name.to_owned(), bound);
    }
    Ok(bmc::Options {
        solver: args.solver.clone(),
        second: match (args.certify, args.solver.as_str()) {
            (Certify::Off, _) => None,
            (Certify::Replay | Certify::Full, "z3") => Some("bitwuzla".to_owned()),
            (Certify::Replay | Certify::Full, _) => Some("z3".to_owned()),
        },
        unwind,
        unwind_loops,
        depth: args.depth,
        deepest: None,
        patience: args.seconds_per_obligation.map(Duration::from_secs_f64),
        // These are the task's.
        deadline: None,
        memory: None,
        monitors: BTreeSet::new(),
        violations: if args.wants_first() {
            bmc::Violations::First
        } else {
            bmc::Violations::Each
        },
        vacuity: args.fail_on.contains(&FailOn::Vacuous),
        continue_after_failure: args.input.after_failure == AfterFailure::Continue,
        accesses_checked: program.checks.contains(&CheckId::Deref)
            && args.input.after_failure == AfterFailure::Stop,
        induction: false,
        calls: match args.calls {
            None | Some(CallStyle::Inline | CallStyle::Mixed) => bmc::Calls::Inline,
            Some(CallStyle::Summary) => bmc::Calls::Summary,
        },
        maps: match args.fmap {
            FmapArg::Off => None,
            FmapArg::Sized(entries, pointers) => Some(MapLimits { entries, pointers }),
            FmapArg::Auto => Some(MapLimits::default()),
        },
        inventor: None,
        style: match args.vc {
            VcStyle::Eval => bmc::Style::Eval,
            VcStyle::Dataflow => bmc::Style::Dataflow,
            VcStyle::Path => bmc::Style::Path,
        },
        encoding: encoding(args),
        cone: if args.no_coi {
            bmc::Cone::Everything
        } else {
            bmc::Cone::Used
        },
        rewriting: if args.no_simplify {
            terms::Level::Fold
        } else {
            terms::Level::Full
        },
        count_rules: args.stats,
    })
}

fn encoding(args: &VerifyArgs) -> Encoding {
    Encoding {
        memory: args.memory,
        word: match args.word {
            WordSize::Auto => Word::Auto,
            WordSize::One => Word::Bytes(1),
            WordSize::Four => Word::Bytes(4),
            WordSize::Eight => Word::Bytes(8),
        },
        pointers: args.pointers,
        allocator: match args.alloc {
            AllocStyle::Static => Allocator::Static,
            AllocStyle::Relative => Allocator::Relative,
        },
        techniques: Techniques {
            ranges: !args.no_ranges,
            maps: !args.no_store_maps,
        },
    }
}
