//! Every function of the library's index has a program that uses it as it should be used, and, if
//! there is a wrong way, one that does so.

use std::collections::{BTreeMap, BTreeSet};

use frontend::{DataModel, OptLevel};
use ir::syntax::{Body, Callee, Const, Def, Func, Module, Op, Operand};
use libtest::Kind;

use crate::blocks::Claim;

/// What is no model, but an operation of the IR.
const OPERATIONS: &[&str] = &[
    "malloc", "calloc", "free", "alloca", "memcpy", "mempcpy", "memmove", "memset", "memcmp",
    "bcmp",
];

/// The functions that a function uses: calls, or takes the address of.
fn used(module: &Module, func: Func) -> BTreeSet<Func> {
    let mut found = BTreeSet::new();
    let Some(body) = &module.funcs[func].body else {
        return found;
    };
    for (_, inst) in body.insts_in_order() {
        let op = &body.insts[inst].op;
        if let Op::Call {
            callee: Callee::Direct(callee),
            ..
        } = op
        {
            found.insert(*callee);
        }
        for operand in op.operands() {
            if let Operand::Const(Const::Func(callee)) = operand {
                found.insert(*callee);
            }
        }
    }
    found
}

/// The functions that are used from here on.
fn reached(module: &Module, start: Func) -> BTreeSet<Func> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(func) = open.pop() {
        for next in used(module, func) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Is it whether errno may be written? It may, always.
fn about_errno(module: &Module, body: &Body, condition: &Operand) -> bool {
    let result_of = |operand: &Operand| match operand {
        Operand::Value(value) => match body.values[*value].def {
            Def::Result(inst, _) => Some(&body.insts[inst].op),
            Def::Param(_) | Def::BlockParam(..) => None,
        },
        Operand::Const(_) => None,
    };
    let Some(Op::IsDeref { ptr, .. }) = result_of(condition) else {
        return false;
    };
    let Some(Op::Call {
        callee: Callee::Direct(callee),
        ..
    }) = result_of(ptr)
    else {
        return false;
    };
    module.funcs[*callee].name == "__errno_location"
}

/// What a function's own instructions may violate.
fn own_checks(module: &Module, func: Func) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Some(body) = &module.funcs[func].body else {
        return found;
    };
    for (_, inst) in body.insts_in_order() {
        match &body.insts[inst].op {
            Op::Check(obligation, condition) if !about_errno(module, body, condition) => {
                found.insert(module.obligations[*obligation].check.to_string());
            }
            // The obligations of these two are made later.
            Op::Free(pointer) if *pointer != Operand::NULL => {
                found.insert("free".to_owned());
            }
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            } => found.extend(["deref", "call-target"].map(str::to_owned)),
            _ => {}
        }
    }
    found
}

/// The functions of the index that can violate a check, and which.
fn fallible() -> BTreeMap<String, BTreeSet<String>> {
    let names: Vec<String> = functions().into_keys().collect();
    let mut text = String::from("extern unsigned sk_nondet_uint(void);\n");
    for name in &names {
        text.push_str(&format!("extern void {name}();\n"));
    }
    text.push_str("void (*table[])() = {\n");
    for name in &names {
        text.push_str(&format!("    {name},\n"));
    }
    text.push_str("};\nint main(void) { table[sk_nondet_uint()](); return 0; }\n");
    let module = crate::load("all.c", &text, DataModel::Lp64, OptLevel::Full);
    let mut found = BTreeMap::new();
    for (func, data) in module.funcs.iter() {
        if names.contains(&data.name) {
            let checks: BTreeSet<String> = reached(&module, func)
                .into_iter()
                .flat_map(|func| own_checks(&module, func))
                .collect();
            found.insert(data.name.clone(), checks);
        }
    }
    for name in &names {
        assert!(found.contains_key(name), "{name} is not linked");
    }
    found
}

/// The functions of the index, and their files.
fn functions() -> BTreeMap<String, String> {
    libtest::index()
        .into_iter()
        .filter(|(_, entry)| entry.kind == Kind::Function)
        .map(|(name, entry)| (name, entry.file))
        .collect()
}

/// Checks that are no function's own business: what is not modelled, what the whole program has
/// left behind, and functions that the program hands over. One of them is shown if there is no
/// other.
const GENERAL: [&str; 3] = ["unsupported", "leak", "call-target"];

/// What the blocks show of a function.
#[derive(Default)]
struct Shown {
    holds: bool,
    violates: BTreeSet<String>,
}

/// What the blocks of all files show of the functions that they name and really call: violations
/// count if they happen in the library. What is wrong with the heads is added to the list.
fn shown(functions: &BTreeMap<String, String>, wrong: &mut Vec<String>) -> BTreeMap<String, Shown> {
    let mut found: BTreeMap<String, Shown> = BTreeMap::new();
    for file in libtest::files("tests/programs", ".c") {
        let (blocks, module) = crate::prepare(&file, DataModel::Lp64, OptLevel::None);
        let defined = module.funcs.iter().filter(|(_, data)| data.body.is_some());
        let by_name: BTreeMap<&str, Func> = defined
            .map(|(func, data)| (data.name.as_str(), func))
            .collect();
        let is_program_s = |name: &str| {
            by_name
                .get(name)
                .is_some_and(|&func| !module.funcs[func].model)
        };
        for (index, block) in blocks.iter().enumerate() {
            let start = by_name[format!("block_{index}").as_str()];
            let called = reached(&module, start);
            for name in &block.models {
                let about = format!("{file}:{}: {name}", block.line);
                if functions.contains_key(name) {
                    let model = by_name.get(name.as_str());
                    let is_called =
                        model.is_some_and(|func| called.contains(func)) && !is_program_s(name);
                    if !is_called {
                        wrong.push(format!("{about} is named, but not called"));
                    }
                } else if !OPERATIONS.contains(&name.as_str()) {
                    wrong.push(format!("{about} is no function of the index"));
                }
                let shown = found.entry(name.clone()).or_default();
                match &block.claim {
                    Claim::Holds => shown.holds = true,
                    Claim::Violates(check) => {
                        // Whether it is violated at all is another test.
                        if let Ok(place) = crate::check_violates(&module, index, check)
                            && (!functions.contains_key(name) || !is_program_s(&place.func))
                        {
                            shown.violates.insert(check.clone());
                        }
                    }
                }
            }
        }
    }
    found
}

/// `CANNOT_FAIL`: lines of a function, a check, and the reason.
fn cannot_fail() -> BTreeSet<(String, String)> {
    let text = crate::source("CANNOT_FAIL");
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            match (words.next(), words.next(), words.next()) {
                (Some(name), Some(check), Some(_)) => (name, check),
                _ => panic!("CANNOT_FAIL: {line}: a function, a check, a reason"),
            }
        })
        .collect()
}

#[test]
fn every_function_has_its_programs() {
    let functions = functions();
    let fallible = fallible();
    let excused = cannot_fail();
    let mut wrong = Vec::new();
    let shown = shown(&functions, &mut wrong);
    let nothing = Shown::default();
    for (name, file) in &functions {
        let shown = shown.get(name).unwrap_or(&nothing);
        let possible: BTreeSet<&str> = fallible[name]
            .iter()
            .filter(|&check| !excused.contains(&(name.clone(), check.clone())))
            .map(String::as_str)
            .collect();
        let own: BTreeSet<&str> = possible
            .iter()
            .copied()
            .filter(|check| !GENERAL.contains(check))
            .collect();
        if !shown.holds {
            wrong.push(format!("{name} ({file}): no block that holds"));
        }
        for &check in &own {
            if !shown.violates.contains(check) {
                wrong.push(format!("{name} ({file}): no block that violates {check}"));
            }
        }
        if !possible.is_empty() && !possible.iter().any(|&check| shown.violates.contains(check)) {
            wrong.push(format!(
                "{name} ({file}): no block that violates one of {possible:?}"
            ));
        }
    }
    for &name in OPERATIONS {
        let shown = shown.get(name).unwrap_or(&nothing);
        if !shown.holds || shown.violates.is_empty() {
            wrong.push(format!(
                "{name}: no block that holds, or none that violates"
            ));
        }
    }
    for (name, check) in excused {
        if !fallible
            .get(&name)
            .is_some_and(|checks| checks.contains(&check))
        {
            wrong.push(format!("CANNOT_FAIL: {name} has no obligation {check}"));
        }
        if shown
            .get(&name)
            .is_some_and(|shown| shown.violates.contains(&check))
        {
            wrong.push(format!("CANNOT_FAIL: {name} does violate {check}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
