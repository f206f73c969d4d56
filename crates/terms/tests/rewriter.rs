//! The multi-step rewriter: what it visits, what it remembers, how far it goes.

use terms::rewrite::{Config, Rewriter, Status, simplify};
use terms::{Level, Op, Sort, Term, Terms};

/// Turns variables of these names into one another and counts how often it is asked.
struct Rename<'a> {
    steps: &'a [(&'a str, &'a str, Status)],
    asked: usize,
    told: Vec<(Term, Term)>,
}

impl Config for Rename<'_> {
    fn should_rewrite(&mut self, terms: &Terms, t: Term) -> bool {
        terms.var_name(t) != Some("hidden")
    }

    fn apply(&mut self, terms: &mut Terms, t: Term) -> (Term, Status) {
        self.asked += 1;
        let step = self
            .steps
            .iter()
            .find(|(from, ..)| terms.var_name(t) == Some(from));
        match step {
            Some(&(_, to, status)) => (terms.var(to, Sort::Bool), status),
            None => (t, Status::Done),
        }
    }

    fn after(&mut self, _: &mut Terms, before: Term, after: Term) {
        self.told.push((before, after));
    }
}

fn rename<'a>(steps: &'a [(&'a str, &'a str, Status)]) -> Rewriter<Rename<'a>> {
    Rewriter::new(Rename {
        steps,
        asked: 0,
        told: Vec::new(),
    })
}

fn var(terms: &mut Terms, name: &str) -> Term {
    terms.var(name, Sort::Bool)
}

#[test]
fn a_term_that_becomes_another_is_remembered_with_the_last() {
    let mut terms = Terms::new();
    let mut rewriter = rename(&[
        ("a", "b", Status::Full),
        ("b", "c", Status::Full),
        ("c", "d", Status::Done),
    ]);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| var(&mut terms, name));
    assert_eq!(rewriter.rewrite(&mut terms, a), d);
    assert_eq!(rewriter.cached(a), Some(d));
    assert_eq!(rewriter.cached(c), Some(d));
    assert_eq!(rewriter.config.told, [(a, b), (b, c), (c, d)]);
    let asked = rewriter.config.asked;
    assert_eq!(rewriter.rewrite(&mut terms, a), d);
    assert_eq!(
        rewriter.config.asked, asked,
        "what is remembered is not asked for again"
    );
}

#[test]
fn shared_terms_are_visited_once() {
    let mut terms = Terms::with_level(Level::Off);
    let mut t = var(&mut terms, "x");
    for _ in 0..60 {
        t = terms.and(t, t);
    }
    let mut rewriter = rename(&[("x", "y", Status::Done)]);
    let rewritten = rewriter.rewrite(&mut terms, t);
    assert_eq!(rewriter.config.asked, 61);
    assert_eq!(terms.dag_size(&[rewritten]), 61);
    let y = var(&mut terms, "y");
    assert_eq!(terms.free_vars(&[rewritten]), [y]);
}

#[test]
fn what_is_skipped_is_not_remembered() {
    let mut terms = Terms::new();
    let mut rewriter = rename(&[("a", "b", Status::Skip)]);
    let [a, b] = ["a", "b"].map(|name| var(&mut terms, name));
    assert_eq!(rewriter.rewrite(&mut terms, a), b);
    assert_eq!(rewriter.cached(a), None);
    assert_eq!(rewriter.rewrite(&mut terms, a), b);
    assert_eq!(rewriter.config.asked, 2);
}

#[test]
fn what_should_not_be_rewritten_stays() {
    let mut terms = Terms::new();
    let hidden = var(&mut terms, "hidden");
    let mut rewriter = rename(&[("hidden", "b", Status::Done)]);
    let t = terms.not(hidden);
    assert_eq!(rewriter.rewrite(&mut terms, t), t);
}

/// Wraps the variable `start` in a conjunction whose arguments may be rewritten some levels deep.
struct Wrap {
    levels: u32,
}

impl Config for Wrap {
    fn apply(&mut self, terms: &mut Terms, t: Term) -> (Term, Status) {
        let name = terms.var_name(t).map(str::to_string);
        match name.as_deref() {
            Some("start") => {
                let a = var(terms, "a");
                let not_a = terms.not(a);
                let b = var(terms, "b");
                (terms.and(not_a, b), Status::Levels(self.levels))
            }
            Some("a") => (var(terms, "A"), Status::Done),
            Some("b") => (var(terms, "B"), Status::Done),
            _ => (t, Status::Done),
        }
    }
}

#[test]
fn a_number_of_levels_is_kept_to() {
    let expected = [
        "(and (not a) b)",
        "(and (not a) b)",
        "(and (not a) B)",
        "(and (not A) B)",
        "(and (not A) B)",
    ];
    for (levels, expected) in expected.into_iter().enumerate() {
        let mut terms = Terms::with_level(Level::Off);
        let start = var(&mut terms, "start");
        let mut rewriter = Rewriter::new(Wrap {
            levels: levels as u32,
        });
        let result = rewriter.rewrite(&mut terms, start);
        assert_eq!(terms.to_smt(result), expected, "{levels} levels");
        assert_eq!(rewriter.cached(start), Some(result));
    }
}

#[test]
fn a_config_that_never_ends_is_stopped() {
    let mut terms = Terms::new();
    let mut rewriter = rename(&[("a", "b", Status::Full), ("b", "a", Status::Full)]);
    rewriter.steps_left = 100;
    let a = var(&mut terms, "a");
    let result = rewriter.rewrite(&mut terms, a);
    assert!(matches!(terms.var_name(result), Some("a" | "b")));
    assert_eq!(rewriter.config.asked, 100);
}

#[test]
fn simplifying_reaches_the_bottom_of_a_deep_term() {
    let mut terms = Terms::with_level(Level::Off);
    let x = terms.var("x", Sort::BitVec(32));
    let one = terms.bv_u64(1, 32);
    let mut sum = x;
    for _ in 0..200_000 {
        sum = terms.add(sum, one);
    }
    terms.set_level(Level::Full);
    let result = simplify(&mut terms, &[sum])[0];
    assert_eq!(terms.to_smt(result), "(bvadd x #x00030d40)");
    assert_eq!(terms.op(result), Op::Add);
}
