//! A run's frames: how it starts, stops, and reports.

use std::cell::OnceCell;

use ir::syntax::{Func, Obligation, Op};

use crate::choices::Refusal;
use crate::code::Code;
use crate::config::AfterFailure;
use crate::decode::{Image, decode};
use crate::explain;
use crate::host::Host;
use crate::memory::Fault;
use crate::outcome::{Failure, Outcome};
use crate::show;
use crate::view::{Frame, Position, View, position};
use crate::world::{Stop, World};

/// Decoded functions; decoding happens at the first call.
pub(crate) struct Codes<'m> {
    pub(crate) image: Image<'m>,
    table: Vec<OnceCell<Code>>,
}

impl<'m> Codes<'m> {
    pub(crate) fn new(image: Image<'m>) -> Codes<'m> {
        let table = image.module.funcs.keys().map(|_| OnceCell::new()).collect();
        Codes { image, table }
    }

    pub(crate) fn get(&self, func: Func) -> &Code {
        self.table[func.index()].get_or_init(|| decode(&self.image, func))
    }
}

/// Frames and their words.
pub(crate) struct Interpreter<'c, 'm> {
    pub(crate) codes: &'c Codes<'m>,
    pub(crate) frames: Vec<Frame<'c>>,
    pub(crate) stack: Vec<u64>,
    pub(crate) steps: u64,
}

impl<'c, 'm> Interpreter<'c, 'm> {
    /// An interpreter about to run the entry function.
    pub(crate) fn new(codes: &'c Codes<'m>) -> Interpreter<'c, 'm> {
        Interpreter {
            codes,
            frames: Vec::new(),
            stack: Vec::new(),
            steps: 0,
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs the entry function to its end.
    pub(crate) fn run(
        &mut self,
        world: &mut World<'_>,
        host: &mut Option<&mut dyn Host>,
    ) -> Outcome {
        let stop = match self.start(world) {
            Ok(()) if world.observer.is_some() => self.execute::<true>(world, host),
            Ok(()) => self.execute::<false>(world, host),
            Err(stop) => stop,
        };
        if !self.frames.is_empty() {
            if let Some(observer) = world.observer.take() {
                observer.last(&self.view(world));
                world.observer = Some(observer);
            }
        }
        self.conclude(world, stop)
    }

    fn start(&mut self, world: &mut World<'_>) -> Result<(), Stop> {
        let module = self.codes.image.module;
        let Some(entry) = module.entry else {
            return Err(Stop::Error("the module has no entry".to_string()));
        };
        let data = module
            .funcs
            .get(entry)
            .ok_or_else(|| Stop::Error(format!("{entry} does not exist")))?;
        let Some(body) = &data.body else {
            return Err(Stop::Error("the entry has no body".to_string()));
        };
        let code = self.codes.get(entry);
        self.stack.resize(code.frame, 0);
        for (index, &param) in body.params.iter().enumerate() {
            if !body.values[param].ty.is_mem() {
                return Err(Stop::Error("the entry has parameters".to_string()));
            }
            // The entry's memories are the first ones after memory 0, in order.
            self.stack[2 * index] = index as u64 + 1;
            self.stack[2 * index + 1] = world.versions[index + 1];
        }
        self.frames.push(Frame {
            func: entry,
            code,
            pc: 0,
            base: 0,
            stack_objects: 0,
            versions: world.versions.len(),
        });
        Ok(())
    }

    fn view<'v>(&'v self, world: &'v World<'_>) -> View<'v> {
        View {
            image: &self.codes.image,
            memory: &world.memory,
            frames: &self.frames,
            stack: &self.stack,
            steps: self.steps,
        }
    }

    /// The outcome of a run that stopped.
    fn conclude(&mut self, world: &World<'_>, stop: Stop) -> Outcome {
        match stop {
            Stop::Outcome(outcome) => outcome,
            Stop::Refusal(refusal) => Outcome::Refused(refusal),
            Stop::Fault(Fault::Full(why)) => Outcome::MemoryLimit(why),
            Stop::Fault(Fault::Misplaced(why)) => Outcome::Refused(Refusal::Mismatch(why)),
            Stop::Fault(Fault::Outside) => {
                Outcome::Error(self.located("an access outside every object slipped through"))
            }
            Stop::Fault(Fault::Region(number)) => {
                let name = show::object_name(world.module, &world.memory, number);
                let memory = world.memory.objects[number as usize].memory;
                Outcome::Error(self.located(&format!(
                    "{name} is touched through a memory in which it does not live (it lives in memory {memory})"
                )))
            }
            Stop::Error(why) => Outcome::Error(self.located(&why)),
            Stop::Stuck(why) => Outcome::Stuck(Box::new(explain::say(&self.view(world), why))),
        }
    }

    /// A message with the function and instruction it is about.
    fn located(&self, message: &str) -> String {
        let Some(frame) = self.frames.last() else {
            return message.to_string();
        };
        let module = self.codes.image.module;
        let name = &module.funcs[frame.func].name;
        let text = match position(frame, frame.pc) {
            Position::Inst(inst) => {
                let body = module.funcs[frame.func].body.as_ref();
                match body {
                    Some(body) if body.insts.contains(inst) => {
                        let text = ir::text::display_inst(module, body, inst);
                        format!("`{}`", text.to_string().trim())
                    }
                    Some(_) | None => inst.to_string(),
                }
            }
            Position::End(block) => format!("the end of {block}"),
        };
        format!("@{name}, {text}: {message}")
    }

    /// Notes a violated obligation; the outcome if the run ends here.
    #[cold]
    pub(crate) fn fail(
        &mut self,
        world: &mut World<'_>,
        obligation: Obligation,
    ) -> Option<Outcome> {
        let known = world.failures.iter().any(|f| f.obligation == obligation);
        if known && world.config.after_failure == AfterFailure::Continue {
            return None;
        }
        let view = self.view(world);
        let cond = match view.position() {
            Position::Inst(inst) => {
                let body = view.module().funcs[view.func()].body.as_ref();
                let data = body.and_then(|body| body.insts.get(inst));
                match data.map(|data| &data.op) {
                    Some(Op::Check(_, cond)) => Some(cond.clone()),
                    Some(_) | None => None,
                }
            }
            Position::End(_) => None,
        };
        let explanation = match cond {
            Some(cond) => explain::explain(&view, &cond),
            None => explain::say(&view, String::new()),
        };
        let failure = Failure {
            obligation,
            steps: self.steps,
            explanation,
        };
        if let Some(observer) = world.observer.take() {
            observer.failure(&self.view(world), &failure);
            world.observer = Some(observer);
        }
        world.failures.push(failure.clone());
        match world.config.after_failure {
            AfterFailure::Stop => Some(Outcome::Violated(Box::new(failure))),
            AfterFailure::Continue => None,
        }
    }
}
