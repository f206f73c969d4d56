//! Programs with fixed bounds: unrolled, inlined, and brought into a form.
//!
//! Evaluation follows a program as it runs; this is the other way, which can be looked at: passes make
//! a program without loops and calls, whose terms are read off block by block (`path`), or off the one
//! block that the forms of SeaBMC leave (`dataflow`). What a model says of a form is carried over to
//! the program that the form was made of, because choices keep their names.

use checks::registry::CheckId;
use std::collections::BTreeMap;

use encode::eval::flow::{flow, flow_form};
use encode::eval::{Bounded, Config, Cut, Limit, Vc};
use ir::loop_names::NamedLoop;
use ir::syntax::{Module, Obligation, ObligationData, Operand};
use passes::pass::{self, Bounds, Pass, Validate};
use passes::pipeline;
use results::{Message, Reason, Sink, Stage};
use terms::{Model, Sort, Terms};

use crate::trace::Reader;
use crate::{Cone, Options, Style};

/// A program of fixed bounds.
pub struct Unrolled {
    /// Without loops and calls.
    module: Module,
    /// The same in a form, with its selectors.
    form: Option<(Module, Vec<(Obligation, Operand)>)>,
}

impl Unrolled {
    /// Unrolls, inlines and transforms a Pure program.
    pub fn new(
        program: &Module,
        options: &Options,
        sink: &dyn Sink,
        bounds: Bounds,
    ) -> Result<Unrolled, Reason> {
        let config = pass::Config {
            bounds,
            validate: Validate::Last,
            ..pass::Config::default()
        };
        let mut module = program.clone();
        let run = |list: &[&dyn Pass], module: &mut Module| run(list, module, &config, sink);
        run(pipeline::BOUND, &mut module)?;
        let form = match options.style {
            Style::Eval | Style::Path => None,
            // In a form a failing check ends the execution, and these do not.
            Style::Dataflow if module.obligations.values().any(ObligationData::lets_pass) => None,
            Style::Dataflow => {
                let mut form = module.clone();
                let list: Vec<&dyn Pass> = pipeline::FORMS
                    .iter()
                    .copied()
                    .filter(|pass| options.cone == Cone::Used || pass.name() != "rpd")
                    .collect();
                run(&list, &mut form)?;
                let entry = form.entry.expect("an unrolled program has an entry");
                let selectors = passes::forms::selectors(&form, entry);
                Some((form, selectors))
            }
        };
        Ok(Unrolled { module, form })
    }

    /// The program's terms.
    pub fn vc<'a>(
        &'a self,
        terms: &'a mut Terms,
        config: &'a Config,
        loops: &[NamedLoop],
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Vc<'a> {
        let mut vc = match &self.form {
            None => flow(&self.module, terms, config, interrupted),
            Some((form, selectors)) => flow_form(form, selectors, terms, config, interrupted),
        };
        self.take_cuts(&mut vc, loops);
        vc
    }

    /// Is there a form, whose model does not tell which way an execution went?
    pub fn is_form(&self) -> bool {
        self.form.is_some()
    }

    /// The terms of the program that the form was made of.
    pub fn companion<'a>(
        &'a self,
        terms: &'a mut Terms,
        config: &'a Config,
        loops: &[NamedLoop],
    ) -> Vc<'a> {
        let mut vc = flow(&self.module, terms, config, &mut || false);
        self.take_cuts(&mut vc, loops);
        vc
    }

    /// Obligations that guard bounds become cuts.
    fn take_cuts(&self, vc: &mut Vc<'_>, loops: &[NamedLoop]) {
        let instances = std::mem::take(&mut vc.instances);
        for instance in instances {
            let data = &self.module.obligations[instance.obligation];
            let what = match data.check {
                CheckId::Unwind => passes::unroll::guarded_loop(data)
                    .and_then(|name| loops.iter().find(|known| known.name == name))
                    .map(|known| Bounded::Loop(known.func, known.header, 0)),
                CheckId::Recursion => {
                    let callee = passes::inline::guarded_function(data);
                    let func = self
                        .module
                        .funcs
                        .iter()
                        .find(|(_, func)| Some(func.name.as_str()) == callee);
                    func.map(|(func, _)| Bounded::Recursion(func, 0))
                }
                _ => {
                    vc.instances.push(instance);
                    continue;
                }
            };
            let what = what.expect("a guard names what it guards");
            let terms = &mut *vc.world.terms;
            let fails = terms.not(instance.holds);
            vc.cuts.push(Cut {
                what,
                limit: Limit::Bound,
                reached: terms.and(instance.reached, fails),
                assumptions: instance.assumptions,
                choices: instance.choices,
            });
        }
    }
}

fn run(
    list: &[&dyn Pass],
    module: &mut Module,
    config: &pass::Config,
    sink: &dyn Sink,
) -> Result<(), Reason> {
    let mut show = |pass: &dyn Pass, module: &Module| {
        sink.show(pass.name(), module);
    };
    pass::run(list, module, config, &mut show)
        .map(|timings| {
            for timing in timings {
                sink.tell(Message::Pass(Stage {
                    name: timing.pass.to_owned(),
                    time: timing.time,
                }));
            }
        })
        .map_err(|error| match error {
            pass::Error::TooLarge { .. } => Reason::Memory,
            error => Reason::Unsupported(error.to_string()),
        })
}

/// A model of the form's terms, as a model of the companion's: variables by their names, unknown
/// contents byte by byte.
pub fn carry_over(form: &Vc<'_>, model: &Model, companion: &mut Vc<'_>) -> Model {
    let mut carried = Model::new();
    let from = &*form.world.terms;
    for (var, value) in model.vars() {
        let sort = from.sort(var);
        if let (Some(name), Sort::Bool | Sort::BitVec(_)) = (from.var_name(var), sort) {
            let var = companion.world.terms.var(name, sort);
            carried.set(companion.world.terms, var, value.clone());
        }
    }
    let to = &*companion.world.terms;
    let mut reader = Reader::new(form, model);
    let mut bytes: BTreeMap<&str, BTreeMap<u64, u8>> = BTreeMap::new();
    for (unknown, data) in form.world.unknowns.iter() {
        let list = reader.bytes(unknown, None);
        bytes.entry(data.name()).or_default().extend(list);
    }
    for data in companion.world.unknowns.values() {
        let Some(bytes) = bytes.get(data.name()) else {
            continue;
        };
        let byte = |at: u64| bytes.get(&at).copied().unwrap_or(0);
        data.put(to, &mut carried, byte, bytes.keys().copied());
    }
    carried
}
