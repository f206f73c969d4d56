//! What the text of a Pure program claims of its regions, against an execution.

use interp::Value;
use interp::memory::Pointer;
use interp::observe::Observer;
use interp::view::{Position, View};
use ir::syntax::{
    Body, InstData, Module, Objects, Op, Operand, Pointers, RegionFacts, Type, Value as Register,
};

/// Complains about the first few claims that an execution refutes.
#[derive(Default)]
pub struct Watch {
    pub complaints: Vec<String>,
    /// Claims that were looked at.
    pub looks: usize,
}

/// An access: pointer, length in bytes, type if it is a load or a store, what is stored.
struct Access<'a> {
    pointer: &'a Operand,
    memory: Register,
    len: Option<u64>,
    ty: Option<Type>,
    stored: Option<&'a Operand>,
}

impl Observer for Watch {
    fn step(&mut self, view: &View<'_>) {
        if self.complaints.len() > 3 {
            return;
        }
        let module = view.module();
        let Some(body) = &module.funcs[view.func()].body else {
            return;
        };
        let Position::Inst(inst) = view.position() else {
            return;
        };
        let data = &body.insts[inst];
        let mut found = Vec::new();
        if let Op::Alloc { size, .. } = &data.op {
            found.extend(self.allocation(view, body, data, size));
        }
        for access in accesses(view, module, data) {
            found.extend(self.access(view, body, &access));
        }
        let name = &module.funcs[view.func()].name;
        let text = ir::text::display_inst(module, body, inst).to_string();
        for what in found {
            self.complaints.push(format!("{name}: `{text}`: {what}"));
        }
    }
}

impl Watch {
    fn allocation(
        &mut self,
        view: &View<'_>,
        body: &Body,
        data: &InstData,
        size: &Operand,
    ) -> Option<String> {
        let facts = facts(body, data.mems[0]);
        self.looks += usize::from(*facts != RegionFacts::default());
        let Some(Value::Memory(memory, _)) = view.operand(&data.mems[0].into()) else {
            return None;
        };
        if facts.objects == Objects::One && view.objects_in(memory) > 0 {
            return Some("a second object in its memory".to_owned());
        }
        if facts.size.is_some() && facts.size != number(view, size) {
            return Some(format!("its size is not {:?}", facts.size));
        }
        match (&facts.sites, data.place) {
            (Some(sites), place) if place.is_none_or(|place| !sites.contains(&place)) => {
                Some("not one of its sites".to_owned())
            }
            (Some(_) | None, _) => None,
        }
    }

    fn access(&mut self, view: &View<'_>, body: &Body, access: &Access<'_>) -> Option<String> {
        let facts = facts(body, access.memory);
        self.looks += usize::from(*facts != RegionFacts::default());
        let Some(Value::Pointer(pointer)) = view.operand(access.pointer) else {
            return None;
        };
        let (number, object) = view.object_of(pointer)?;
        let offset = pointer.address.wrapping_sub(object.base);
        let len = access.len?;
        let end = offset.checked_add(len)?;
        if !object.alive || end > object.size || len == 0 {
            return None; // It touches nothing.
        }
        if offset % u64::from(facts.word) != 0 || len % u64::from(facts.word) != 0 {
            return Some(format!(
                "{len} bytes at {offset} are no words of {}",
                facts.word
            ));
        }
        if facts.size.is_some_and(|size| size != object.size) {
            return Some(format!("an object of {} bytes", object.size));
        }
        if facts.scalar.is_some() && (facts.scalar != access.ty || offset != 0) {
            return Some(format!("not as the scalar {:?}", facts.scalar));
        }
        let stores_pointer = access
            .stored
            .is_some_and(|stored| match view.operand(stored) {
                Some(Value::Pointer(Pointer { object, .. })) => object != 0,
                Some(Value::Int(_) | Value::Float(..) | Value::Memory(..)) | None => false,
            });
        let holds = stores_pointer || view.holds_pointer(number, offset, len);
        match facts.pointers == Pointers::Never && holds {
            true => Some("a pointer is stored".to_owned()),
            false => None,
        }
    }
}

fn facts(body: &Body, memory: Register) -> &RegionFacts {
    match body.values[memory].ty {
        Type::Mem(region) => &body.regions[region].facts,
        Type::Int(_) | Type::Float(_) | Type::Ptr => panic!("{memory} is a memory"),
    }
}

fn number(view: &View<'_>, operand: &Operand) -> Option<u64> {
    match view.operand(operand)? {
        Value::Int(bits) => bits.to_u64(),
        Value::Float(..) | Value::Pointer(_) | Value::Memory(..) => None,
    }
}

fn accesses<'a>(view: &View<'_>, module: &Module, data: &'a InstData) -> Vec<Access<'a>> {
    let whole = |pointer: &'a Operand, ty: Type, stored| Access {
        pointer,
        memory: data.mems[0],
        len: Some(ty.bytes(module.machine)),
        ty: Some(ty),
        stored,
    };
    let range = |pointer: &'a Operand, memory: usize, len: &Operand| Access {
        pointer,
        memory: data.mems[memory],
        len: number(view, len),
        ty: None,
        stored: None,
    };
    match &data.op {
        Op::Load { ty, ptr, .. } => vec![whole(ptr, *ty, None)],
        Op::Store { ty, ptr, value, .. } => vec![whole(ptr, *ty, Some(value))],
        Op::MemCopy { dst, src, len } => vec![range(dst, 0, len), range(src, 1, len)],
        Op::MemCompare { left, right, len } => vec![range(left, 0, len), range(right, 1, len)],
        Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => vec![range(dst, 0, len)],
        _ => Vec::new(), // No contents are accessed.
    }
}
