//! Pure data flow: one block.
//!
//! After GSSA the blocks run one after the other and pass nothing; this pass drops their labels.

use ir::syntax::{Block, Body, Module, Phase, Terminator};

use super::expect_sasa;
use crate::edit;
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct PureDataflow;

impl Pass for PureDataflow {
    fn name(&self) -> &'static str {
        "pd"
    }

    fn about(&self) -> &'static str {
        "Joins the blocks of a gated program into one."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Unrolled, module)?;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                expect_sasa(body, self.name())?;
                join(body)?;
            }
        }
        Ok(())
    }
}

fn join(body: &mut Body) -> Result<(), Error> {
    let entry = body.entry();
    let mut insts = Vec::new();
    let mut block = entry;
    for _ in body.blocks.keys() {
        insts.append(&mut body.blocks[block].insts);
        match &body.blocks[block].terminator {
            Terminator::Jump(target) if target.args.is_empty() && target.block != entry => {
                block = target.block;
            }
            Terminator::Return(_) | Terminator::Halt(_) => return finish(body, block, insts),
            Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch(..) => break,
        }
    }
    Err(Error::WrongForm {
        pass: PureDataflow.name(),
        missing: "gated form: blocks without parameters, one after the other",
    })
}

fn finish(body: &mut Body, last: Block, insts: Vec<ir::syntax::Inst>) -> Result<(), Error> {
    let end = body.blocks[last].terminator.clone();
    let place = body.blocks[last].place;
    let entry = body.entry();
    let data = &mut body.blocks[entry];
    (data.insts, data.terminator, data.place) = (insts, end, place);
    edit::tidy_in_place(body);
    Ok(())
}
