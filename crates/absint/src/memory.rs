//! A version of a region's memory: its objects, each with its life, size and contents.
//!
//! An object that a memory does not list does not exist there yet: a join keeps what the other side
//! knows of it. Where objects may exist that are not listed (unknown code was called, or the
//! analysis starts in the middle), the memory is `lost`.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::syntax::{Inst, Module, Value};

use crate::domains::{Int, Thresholds};
use crate::object::{Contents, Rest};
use crate::value::Obj;

/// May an object be alive, may it be dead?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life {
    /// It may be alive.
    pub alive: bool,
    /// It may be dead.
    pub dead: bool,
}

impl Life {
    /// It is alive.
    pub const ALIVE: Life = Life {
        alive: true,
        dead: false,
    };
    /// It is dead.
    pub const DEAD: Life = Life {
        alive: false,
        dead: true,
    };

    /// Either.
    pub fn join(self, other: Life) -> Life {
        Life {
            alive: self.alive || other.alive,
            dead: self.dead || other.dead,
        }
    }
}

/// Who ends an object's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nobody.
    Global,
    /// Its function, or its scope.
    Stack,
    /// The same, and nobody may write to it but its initialiser.
    Sealed,
    /// `free`.
    Heap,
}

/// What is known of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its life.
    pub life: Life,
    /// Its size in bytes.
    pub size: Int,
    /// Its kind.
    pub kind: Kind,
    /// Its contents.
    pub contents: Contents,
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mem {
    /// Objects.
    pub objects: BTreeMap<Obj, Rc<Object>>,
    /// May there be others?
    pub lost: bool,
}

impl Object {
    fn merge(&self, other: &Object, contents: Contents) -> Object {
        Object {
            life: self.life.join(other.life),
            size: self.size.join(&other.size),
            kind: self.kind,
            contents,
        }
    }

    fn join(&self, other: &Object, module: &Module) -> Object {
        let size = self.size.umin.min(other.size.umin);
        let contents = self.contents.join(&other.contents, module, size);
        self.merge(other, contents)
    }
}

impl Mem {
    /// Memory of which nothing is known.
    pub fn lost() -> Mem {
        Mem {
            objects: BTreeMap::new(),
            lost: true,
        }
    }

    /// Memory above both.
    pub fn join(&self, other: &Mem, module: &Module) -> Mem {
        self.combine(other, |a, b| a.join(b, module))
    }

    /// Memory above both, in finitely many steps.
    pub fn widen(&self, new: &Mem, module: &Module, thresholds: &Thresholds) -> Mem {
        self.combine(new, |a, b| {
            let size = a.size.umin.min(b.size.umin);
            let contents = a.contents.widen(&b.contents, module, size, thresholds);
            let mut merged = a.merge(b, contents);
            merged.size = a.size.widen(&b.size, thresholds);
            merged
        })
    }

    fn combine(&self, other: &Mem, objects: impl Fn(&Object, &Object) -> Object) -> Mem {
        let mut all = self.objects.clone();
        for (obj, theirs) in &other.objects {
            match all.get_mut(obj) {
                Some(ours) if Rc::ptr_eq(ours, theirs) || ours == theirs => {}
                Some(ours) => *ours = Rc::new(objects(ours, theirs)),
                None => {
                    all.insert(*obj, Rc::clone(theirs));
                }
            }
        }
        Mem {
            objects: all,
            lost: self.lost || other.lost,
        }
    }

    /// The newest object of an allocation becomes one of the others.
    pub fn age(&mut self, site: Inst, module: &Module) {
        if let Some(newest) = self.objects.remove(&Obj::Recent(site)) {
            let merged = match self.objects.get(&Obj::Old(site)) {
                Some(old) => Rc::new(old.join(&newest, module)),
                None => newest,
            };
            self.objects.insert(Obj::Old(site), merged);
        }
        for object in self.objects.values_mut() {
            let holds = |contents: &Contents| {
                let mut vals = contents.cells.values().map(|cell| &cell.val);
                let in_rest = match &contents.rest {
                    Rest::Elems(_, val) => points_at(val, site),
                    Rest::Any | Rest::Zero | Rest::Init(_) => false,
                };
                in_rest || vals.any(|val| points_at(val, site))
            };
            if holds(&object.contents) {
                let object = Rc::make_mut(object);
                for cell in object.contents.cells.values_mut() {
                    cell.val.age(site);
                }
                if let Rest::Elems(_, val) = &mut object.contents.rest {
                    val.age(site);
                }
            }
        }
    }

    /// Forgets which registers cells are equal to, but for those that `keep` translates.
    pub fn rename(&mut self, keep: impl Fn(Value) -> Option<Value>) {
        for object in self.objects.values_mut() {
            let stale = |same: Option<Value>| same.is_some_and(|value| keep(value) != Some(value));
            if object.contents.cells.values().any(|cell| stale(cell.same)) {
                for cell in Rc::make_mut(object).contents.cells.values_mut() {
                    cell.same = cell.same.and_then(&keep);
                }
            }
        }
    }
}

fn points_at(val: &crate::value::Val, site: Inst) -> bool {
    let recent = crate::value::Base::Object(Obj::Recent(site));
    val.as_ptr()
        .is_some_and(|targets| targets.contains_key(&recent))
}
