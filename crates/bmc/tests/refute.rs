//! Claims are refuted many at a time, and one that fails hides no other.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc::{Cone, Options, Refuted, Style, Violations};
use ir::syntax::Obligation;
use results::Sink;
use results::engine::Silence;

/// The first and the third are violated, the third only where the first one is; the second holds because of what is assumed; the
/// last is not asked for.
const PROGRAM: &str = r#"module pure ptr64
entry @main
obligation o0 main.assert.1 "x is not 7"
obligation o1 main.assert.2 "x is at most 100"
obligation o2 main.assert.3 "x is not 7, again"
obligation o3 main.assert.4 "x is not 8"
fn @main() -> i32 {
b0:
    v0 = nondet.i32 input
    v1 = ult.i32 v0, 50
    assume v1
    v2 = ne.i32 v0, 7
    check o0, v2
    v3 = ule.i32 v0, 100
    check o1, v3
    check o2, v2
    v4 = ne.i32 v0, 8
    check o3, v4
    return 0:i32
}
"#;

fn settings(deadline: Option<Instant>) -> Options {
    Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        unwind: None,
        deepest: None,
        unwind_loops: Default::default(),
        depth: None,
        deadline,
        patience: None,
        memory: None,
        violations: Violations::Each,
        vacuity: false,
        continue_after_failure: false,
        monitors: BTreeSet::new(),
        accesses_checked: true,
        induction: false,
        inventor: None,
        style: Style::Eval,
        encoding: Default::default(),
        cone: Cone::Used,
        rewriting: terms::Level::Full,
        count_rules: false,
        calls: bmc::Calls::Inline,
        maps: None,
    }
}

fn refuted(claims: &[usize], deadline: Option<Instant>) -> Refuted {
    let module = ir::text::read(PROGRAM).expect("a program");
    let claims = claims.iter().map(|&claim| Obligation::from_index(claim));
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    bmc::refute(&module, &settings(deadline), &claims.collect(), &silence).expect("an answer")
}

fn claims(list: &[usize]) -> BTreeSet<Obligation> {
    list.iter()
        .map(|&claim| Obligation::from_index(claim))
        .collect()
}

#[test]
fn one_claim_that_fails_hides_no_other() {
    let all = refuted(&[0, 1, 2], None);
    assert_eq!(all.claims, claims(&[0, 2]));
    assert!(all.exhausted);
    let alone = refuted(&[1], None);
    assert_eq!(alone.claims, claims(&[]));
    assert!(alone.exhausted);
}

#[test]
fn without_time_nothing_is_exhausted() {
    let late = refuted(&[0, 1, 2], Some(Instant::now() - Duration::from_secs(1)));
    assert!(!late.exhausted, "{late:?}");
}
