//! Every rewrite rule: it has examples, it applies where it says and nowhere else, and it is right.

use base::Bv;
use terms::rules::instances::{USUAL_WIDTH, instances, read};
use terms::rules::{Rule, all};
use terms::{ArrayValue, Level, Model, Sort, Term, Terms, Value};

#[test]
fn every_rule_has_a_name_of_its_own_and_both_kinds_of_examples() {
    let mut names: Vec<&str> = all().iter().map(|rule| rule.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "two rules have the same name");
    for rule in all() {
        assert!(
            !rule.applies.is_empty(),
            "{} has no example that it changes",
            rule.name
        );
        assert!(
            !rule.ignores.is_empty(),
            "{} has no example that it leaves alone",
            rule.name
        );
        assert!(rule.level > Level::Off, "{} is on at level 0", rule.name);
    }
}

/// Looks at examples of all rules at the usual width and reports all complaints together.
fn each_example(
    examples: fn(&Rule) -> &'static [&'static str],
    complaint: fn(&mut Terms, &Rule, Term) -> Option<String>,
) {
    let mut terms = Terms::with_level(Level::Off);
    let mut complaints = Vec::new();
    for rule in all() {
        for example in examples(rule) {
            let what = match read(&mut terms, example, USUAL_WIDTH) {
                None => Some("cannot be read".to_string()),
                Some(t) => complaint(&mut terms, rule, t),
            };
            complaints.extend(what.map(|what| format!("{}: {example} {what}", rule.name)));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_rule_changes_its_examples() {
    each_example(
        |rule| rule.applies,
        |terms, rule, t| match terms.apply_rule(rule, t) {
            Some(changed) => (changed == t).then(|| "stays as it is".into()),
            None => Some("does not change".into()),
        },
    );
}

#[test]
fn no_rule_changes_what_it_must_leave_alone() {
    each_example(
        |rule| rule.ignores,
        |terms, rule, t| {
            terms
                .apply_rule(rule, t)
                .map(|changed| format!("becomes {}", terms.to_smt(changed)))
        },
    );
}

#[test]
fn a_changed_example_changes_in_an_arena_of_the_rules_level() {
    each_example(
        |rule| rule.applies,
        |terms, rule, t| {
            terms.set_level(rule.level);
            let args = terms.args(t).to_vec();
            let made = terms.rebuild(t, &args);
            terms.set_level(Level::Off);
            (made == t).then(|| "is made as it is written".into())
        },
    );
}

/// All values of a sort at small widths, or a few interesting ones.
fn values(terms: &Terms, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => (-9..=9)
            .chain([-300, 255, 256, 1 << 40])
            .map(|value: i64| Value::Int(value.into()))
            .collect(),
        Sort::BitVec(width) if width <= 8 => (0..1 << width)
            .map(|word| Value::Bv(Bv::from_u64(word, width)))
            .collect(),
        Sort::Float(float) => {
            let images = (0..1u64 << float.width())
                .map(|word| Value::float(float, Bv::from_u64(word, float.width())));
            let mut values: Vec<Value> = images.collect();
            values.sort();
            values.dedup();
            values
        }
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(sort);
            let (indices, elements) = (values(terms, index), values(terms, element));
            let count = elements
                .len()
                .checked_pow(indices.len() as u32)
                .filter(|&count| count <= 256);
            let arrays = 0..count.unwrap_or(256);
            let step = if count.is_some() { 1 } else { 0x9e37_79b9 };
            arrays
                .map(|mut number| {
                    number = number.wrapping_mul(step);
                    let entries = indices.iter().map(|index| {
                        let element = elements[number % elements.len()].clone();
                        number /= elements.len();
                        (index.clone(), element)
                    });
                    Value::Array(Box::new(ArrayValue::new(
                        terms,
                        sort,
                        elements[0].clone(),
                        entries,
                    )))
                })
                .collect()
        }
        Sort::BitVec(width) => panic!("too many values of width {width}"),
    }
}

/// Checks that two terms are equal: under all assignments if they are at most `most`, otherwise under so many.
fn check_equal(terms: &Terms, before: Term, after: Term, most: usize, context: &str) {
    assert_eq!(terms.sort(before), terms.sort(after), "{context}");
    let vars = terms.free_vars(&[before, after]);
    let domains: Vec<Vec<Value>> = vars
        .iter()
        .map(|&var| values(terms, terms.sort(var)))
        .collect();
    let all: usize = domains.iter().map(Vec::len).product();
    let rounds = all.min(most);
    for round in 0..rounds {
        // Beyond the limit, a stride that is prime to every domain visits a spread of assignments.
        let mut number = if all > most {
            (round as u128 * 1_000_003 % all as u128) as usize
        } else {
            round
        };
        let mut model = Model::new();
        for (&var, domain) in vars.iter().zip(&domains) {
            model.set(terms, var, domain[number % domain.len()].clone());
            number /= domain.len();
        }
        let (left, right) = (terms.eval(&model, before), terms.eval(&model, after));
        if left != right {
            let given: Vec<String> = model
                .vars()
                .iter()
                .map(|(var, value)| format!("{var} = {value}"))
                .collect();
            let (before, after) = (terms.to_smt(before), terms.to_smt(after));
            panic!(
                "{context}\n  {before} = {left}\n  {after} = {right}\n  where {}",
                given.join(", ")
            );
        }
    }
}

#[test]
fn every_rule_is_right_at_widths_one_to_four() {
    let mut terms = Terms::with_level(Level::Off);
    let mut checked: Vec<&str> = Vec::new();
    for width in 1..=4 {
        for instance in instances(&mut terms, width) {
            let context = format!(
                "{} at width {width}: {}",
                instance.rule.name, instance.example
            );
            check_equal(&terms, instance.before, instance.after, 1 << 16, &context);
            checked.push(instance.rule.name);
        }
    }
    for rule in all() {
        assert!(
            checked.contains(&rule.name),
            "{} applies at no small width",
            rule.name
        );
    }
}

#[test]
fn examples_are_right_when_all_rules_work_together() {
    for level in [Level::Fold, Level::Local, Level::Full] {
        for width in 1..=3 {
            let mut terms = Terms::with_level(Level::Off);
            for rule in all() {
                for example in rule.applies.iter().chain(rule.ignores) {
                    terms.set_level(Level::Off);
                    let Some(before) = read(&mut terms, example, width) else {
                        continue;
                    };
                    terms.set_level(level);
                    let after = terms::rewrite::simplify(&mut terms, &[before])[0];
                    let context = format!("{example} at width {width} and {level:?}");
                    check_equal(&terms, before, after, 1 << 10, &context);
                }
            }
        }
    }
}
