//! Names of loops: `main.loop.2` is the second loop of `main`, in the order of its source.

use ir::syntax::{Block, Func, Module, PlaceId};

/// A loop of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopName {
    /// Function.
    pub func: Func,
    /// Head.
    pub head: Block,
    /// Name.
    pub name: String,
    /// Where it begins.
    pub place: Option<PlaceId>,
}

/// All loops, by function.
pub fn names(module: &Module) -> Vec<LoopName> {
    let mut found = Vec::new();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        let order = encode::wto::Order::new(body);
        let mut heads: Vec<(Option<PlaceId>, Block)> = body
            .blocks
            .iter()
            .filter(|(block, _)| order.is_head(*block))
            .map(|(block, data)| {
                let first = data.insts.iter().find_map(|&inst| body.insts[inst].place);
                (first.or(data.place), block)
            })
            .collect();
        heads.sort_by_key(|(place, block)| {
            let line = place.map_or((u32::MAX, u32::MAX), |place| {
                let at = &module.places[place].place;
                (at.line, at.col)
            });
            (line, *block)
        });
        for (number, (place, head)) in heads.into_iter().enumerate() {
            let name = format!("{}.loop.{}", data.name, number + 1);
            found.push(LoopName {
                func,
                head,
                name,
                place,
            });
        }
    }
    found
}
