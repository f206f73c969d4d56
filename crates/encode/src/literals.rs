//! Constants without a name, as string literals are: two may share bytes.
//!
//! C leaves open whether literals are distinct, and linkers store `"abc"` in the tail of `"xabc"`. So different ones
//! may lie anywhere where their bytes agree, and whether they do is a look at addresses.

use ir::syntax::{Global, InitPiece, Module};

use crate::pointer::Object;
use crate::world::{Kind, World};

/// The most bytes that are compared with each other.
const MOST: u64 = 1 << 16;

/// How far apart two constants may begin.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Distances {
    /// So many bytes the second behind the first, or where they share nothing.
    These(Vec<i64>),
    /// Nobody has looked.
    Any,
}

impl World<'_> {
    /// Where two objects may begin that share bytes; none if they never do.
    pub(crate) fn shared(&self, a: Object, b: Object) -> Option<Distances> {
        let (Kind::Global(a), Kind::Global(b)) = (self.objects[a].kind, self.objects[b].kind)
        else {
            return None;
        };
        if a == b || !has_no_name(self.module, a) || !has_no_name(self.module, b) {
            return None;
        }
        let distances = distances(self.module, a, b);
        (distances != Distances::These(Vec::new())).then_some(distances)
    }
}

fn has_no_name(module: &Module, global: Global) -> bool {
    let data = &module.globals[global];
    data.constant && !data.external && data.var.is_none()
}

fn distances(module: &Module, a: Global, b: Global) -> Distances {
    let sizes = module.globals[a].size.checked_mul(module.globals[b].size);
    if sizes.is_none_or(|compared| compared > MOST) {
        return Distances::Any;
    }
    let (Some(a), Some(b)) = (bytes(module, a), bytes(module, b)) else {
        return Distances::Any;
    };
    let (left, right) = (a.len() as i64, b.len() as i64);
    let agree = |distance: &i64| {
        let from = (*distance).max(0);
        let to = left.min(distance + right);
        (from..to).all(|at| a[at as usize] == b[(at - distance) as usize])
    };
    Distances::These((1 - right..left).filter(agree).collect())
}

/// The bytes of a constant, if they are known.
fn bytes(module: &Module, global: Global) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for piece in &module.globals[global].init {
        match piece {
            InitPiece::Bytes(bytes) => all.extend(bytes),
            InitPiece::Zero(count) => all.resize(all.len() + *count as usize, 0),
            InitPiece::Any(_) | InitPiece::Pointer(_) => return None,
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_differ_are_never_shared() {
        let text = "module raw ptr64
global @0 size 5 align 1 constant = bytes \"xabc\\00\"
global @1 size 4 align 1 constant = bytes \"abc\\00\"
global @2 size 4 align 1 constant = bytes \"abd\\00\"
global @3 size 1 align 1 constant = zero 1
";
        let module = ir::text::read(text).expect("it is a module");
        let global = |name: &str| {
            let mut all = module.globals.iter();
            let found = all.find(|(_, data)| data.name == name);
            found.expect("it is there").0
        };
        let of = |a: &str, b: &str| distances(&module, global(a), global(b));
        assert_eq!(of("0", "1"), Distances::These(vec![1]));
        assert_eq!(of("1", "0"), Distances::These(vec![-1]));
        assert_eq!(of("1", "2"), Distances::These(Vec::new()));
        assert_eq!(of("0", "3"), Distances::These(vec![4]));
    }
}
