//! Our own functions in LLVM's eyes: declared when first used, with exactly these attributes.
//!
//! The attributes are read from LLVM's text format, because its C interface has no words for
//! `memory(…)` and `captures(…)`.

use rustc_hash::FxHashMap;

use crate::ffi::{Attr, Context, Module, Ty, Val};

/// The attributes, one declaration for each kind of function. `iPTR` is the pointer width.
///
/// - `fail` ends the execution: an obligation is violated.
/// - `check` ends it if the condition is false. It writes memory that nobody else sees, so that
///   LLVM keeps the calls and their order, and still knows that variables do not change.
/// - `deref` reads what it is asked about: no `free`, no end of a lifetime and no store moves
///   across it. It may not return, so it is never dropped.
///   `freeable` is the same for `free`.
/// - `memhavoc` is a check and a change of the bytes that it is given.
/// - `shadowload` and `shadowstore` are kept in order with the stores around them, which change
///   the shadow, too.
/// - `keep` sees a variable, so that it stays one; `end` ends the program if the condition is false.
/// - `exposed` may not return, so that it is never dropped, and one of two equal ones goes.
/// - `uninit` may be dropped when its result is not used; a number makes each one different.
const TEXT: &str = "
declare void @fail(i32) noreturn nounwind memory(inaccessiblemem: readwrite)
declare void @check(i1, i32) nounwind memory(inaccessiblemem: readwrite)
declare void @assume(i1) nounwind memory(inaccessiblemem: readwrite)
declare void @stop() noreturn nounwind memory(inaccessiblemem: readwrite)
declare void @deref(ptr captures(none), iPTR, i32) nounwind nofree nosync memory(argmem: read, inaccessiblemem: read)
declare void @freeable(ptr captures(none), i32) nounwind nofree nosync memory(argmem: read, inaccessiblemem: read)
declare void @disjoint(ptr captures(none), ptr captures(none), iPTR, i32) nounwind nofree nosync memory(inaccessiblemem: readwrite)
declare void @havoc(ptr captures(none), iPTR) nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @memhavoc(ptr captures(none), iPTR, i32) nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @copy(ptr captures(none), ptr captures(none), iPTR) nounwind willreturn memory(argmem: readwrite)
declare void @set(ptr captures(none), i8, iPTR) nounwind willreturn memory(argmem: readwrite)
declare i8 @uninit(i32) nounwind willreturn nofree nosync memory(inaccessiblemem: read)
declare i8 @total(i8, i8) nounwind willreturn nofree nosync memory(none)
declare i8 @exposed(i8) nounwind nofree nosync memory(none)
declare i8 @shadowload(ptr captures(none)) nounwind willreturn nofree nosync memory(argmem: read, inaccessiblemem: read)
declare void @shadowstore(ptr captures(none), i8) nounwind willreturn nofree nosync memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @maybe(ptr captures(none)) nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @keep(ptr) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @end(i1) nounwind memory(inaccessiblemem: readwrite)
declare i8 @nondet() nounwind willreturn nofree nosync memory(inaccessiblemem: readwrite)
";

/// Attributes by position, for each of the declarations.
pub struct Helpers<'c> {
    attributes: FxHashMap<String, Vec<(u32, Attr<'c>)>>,
    /// The type of sizes.
    pub size: Ty<'c>,
    /// `i1`, `i32`, `ptr` and `void`.
    pub bool: Ty<'c>,
    /// The type of obligation numbers.
    pub id: Ty<'c>,
    /// `i8`.
    pub byte: Ty<'c>,
    /// The pointer type.
    pub ptr: Ty<'c>,
    /// No value.
    pub void: Ty<'c>,
}

impl<'c> Helpers<'c> {
    /// Reads the attributes.
    pub fn new(ctx: &'c Context, pointer_bits: u32) -> Result<Helpers<'c>, String> {
        let text = TEXT.replace("iPTR", &format!("i{pointer_bits}"));
        let module = Module::from_text(ctx, &text)?;
        let mut attributes = FxHashMap::default();
        for func in module.functions() {
            let mut list = Vec::new();
            for index in (0..=func.params().len() as u32).chain([u32::MAX]) {
                let found = func.attributes(index);
                list.extend(found.into_iter().map(|attr| (index, attr)));
            }
            attributes.insert(func.name(), list);
        }
        Ok(Helpers {
            attributes,
            size: Ty::int(ctx, pointer_bits),
            bool: Ty::int(ctx, 1),
            id: Ty::int(ctx, 32),
            byte: Ty::int(ctx, 8),
            ptr: Ty::ptr(ctx),
            void: Ty::void(ctx),
        })
    }

    /// The function of that name and type in the module, with the attributes of a kind.
    pub fn get(
        &self,
        module: &mut Module<'c>,
        kind: &str,
        name: &str,
        result: Ty<'c>,
        params: &[Ty<'c>],
    ) -> (Ty<'c>, Val<'c>) {
        let ty = Ty::function(result, params);
        if let Some(func) = module.function(name) {
            return (ty, func);
        }
        let func = module.declare(name, ty);
        for &(index, attr) in &self.attributes[kind] {
            func.add_attribute(index, attr);
        }
        (ty, func)
    }
}

impl<'c> super::Instrumenter<'_, 'c> {
    fn id(&self, number: u32) -> Val<'c> {
        Val::int(self.helpers.id, u64::from(number))
    }

    /// A call `selkie.fail(id)` at the builder's place.
    pub fn call_fail(&mut self, number: u32) -> Val<'c> {
        let (void, id) = (self.helpers.void, self.helpers.id);
        let (ty, func) = self
            .helpers
            .get(self.module, "fail", "selkie.fail", void, &[id]);
        let call = self.builder.call(ty, func, &[self.id(number)]);
        let nomerge = Attr::plain(self.module.context(), self.kinds.nomerge);
        call.add_attribute(u32::MAX, nomerge);
        call
    }

    /// A call `selkie.check(condition, id)` at the builder's place.
    pub fn call_check(&mut self, condition: Val<'c>, number: u32) -> Val<'c> {
        let (void, bool, id) = (self.helpers.void, self.helpers.bool, self.helpers.id);
        let (ty, func) = self
            .helpers
            .get(self.module, "check", "selkie.check", void, &[bool, id]);
        let call = self.builder.call(ty, func, &[condition, self.id(number)]);
        let nomerge = Attr::plain(self.module.context(), self.kinds.nomerge);
        call.add_attribute(u32::MAX, nomerge);
        call
    }

    /// A call `selkie.end(condition)` at the builder's place.
    pub fn call_end(&mut self, condition: Val<'c>) -> Val<'c> {
        let (void, bool) = (self.helpers.void, self.helpers.bool);
        let (ty, func) = self
            .helpers
            .get(self.module, "end", "selkie.end", void, &[bool]);
        self.builder.call(ty, func, &[condition])
    }

    /// A call `selkie.assume(condition)` at the builder's place.
    pub fn call_assume(&mut self, condition: Val<'c>) -> Val<'c> {
        let (void, bool) = (self.helpers.void, self.helpers.bool);
        let (ty, func) = self
            .helpers
            .get(self.module, "assume", "selkie.assume", void, &[bool]);
        self.builder.call(ty, func, &[condition])
    }

    /// A call that ends the execution without a verdict, at the builder's place.
    pub fn call_stop(&mut self) -> Val<'c> {
        let void = self.helpers.void;
        let (ty, func) = self
            .helpers
            .get(self.module, "stop", "selkie.stop", void, &[]);
        self.builder.call(ty, func, &[])
    }

    /// A call `selkie.deref.read(pointer, size, id)` or `selkie.deref.write` at the builder's
    /// place.
    pub fn call_deref(
        &mut self,
        access: ir::syntax::Access,
        pointer: Val<'c>,
        size: Val<'c>,
        number: u32,
    ) -> Val<'c> {
        let (void, id) = (self.helpers.void, self.helpers.id);
        let name = match access {
            ir::syntax::Access::Read
            | ir::syntax::Access::Look
            | ir::syntax::Access::Touch
            | ir::syntax::Access::Stray => "selkie.deref.read",
            ir::syntax::Access::Write | ir::syntax::Access::Change => "selkie.deref.write",
        };
        let params = [self.helpers.ptr, self.helpers.size, id];
        let (ty, func) = self.helpers.get(self.module, "deref", name, void, &params);
        self.builder
            .call(ty, func, &[pointer, size, self.id(number)])
    }

    /// A call `selkie.freeable(pointer, id)` at the builder's place.
    pub fn call_freeable(&mut self, pointer: Val<'c>, number: u32) -> Val<'c> {
        let (ptr, void, id) = (self.helpers.ptr, self.helpers.void, self.helpers.id);
        let (ty, func) =
            self.helpers
                .get(self.module, "freeable", "selkie.freeable", void, &[ptr, id]);
        self.builder.call(ty, func, &[pointer, self.id(number)])
    }

    /// A call `selkie.disjoint(a, b, size, id)` at the builder's place.
    pub fn call_disjoint(
        &mut self,
        left: Val<'c>,
        right: Val<'c>,
        size: Val<'c>,
        number: u32,
    ) -> Val<'c> {
        let (ptr, void, id) = (self.helpers.ptr, self.helpers.void, self.helpers.id);
        let params = [ptr, ptr, self.helpers.size, id];
        let (ty, func) =
            self.helpers
                .get(self.module, "disjoint", "selkie.disjoint", void, &params);
        let args = [left, right, size, self.id(number)];
        self.builder.call(ty, func, &args)
    }

    /// A freely chosen value of a type, for an uninitialised variable, at the builder's place.
    pub fn call_uninit(&mut self, ty: Ty<'c>, number: u32) -> Val<'c> {
        let name = format!("selkie.uninit.{}", ty.text());
        let id = self.helpers.id;
        let (ty, func) = self.helpers.get(self.module, "uninit", &name, ty, &[id]);
        self.builder.call(ty, func, &[self.id(number)])
    }

    /// The shadow of memory, an integer of the type, at the builder's place.
    pub fn call_shadow_load(&mut self, ty: Ty<'c>, pointer: Val<'c>) -> Val<'c> {
        let name = format!("selkie.shadow.load.{}", ty.text());
        let ptr = self.helpers.ptr;
        let (ty, func) = self
            .helpers
            .get(self.module, "shadowload", &name, ty, &[ptr]);
        self.builder.call(ty, func, &[pointer])
    }

    /// Sets the shadow of memory, at the builder's place.
    pub fn call_shadow_store(&mut self, pointer: Val<'c>, shadow: Val<'c>) -> Val<'c> {
        let name = format!("selkie.shadow.store.{}", shadow.ty().text());
        let (void, params) = (self.helpers.void, [self.helpers.ptr, shadow.ty()]);
        let (ty, func) = self
            .helpers
            .get(self.module, "shadowstore", &name, void, &params);
        self.builder.call(ty, func, &[pointer, shadow])
    }

    /// Arbitrary contents, at the builder's place.
    pub fn call_havoc(&mut self, pointer: Val<'c>, size: Val<'c>) -> Val<'c> {
        let (void, ptr, width) = (self.helpers.void, self.helpers.ptr, self.helpers.size);
        let (ty, func) =
            self.helpers
                .get(self.module, "havoc", "selkie.havoc", void, &[ptr, width]);
        self.builder.call(ty, func, &[pointer, size])
    }

    /// Arbitrary contents of bytes that must be writable, at the builder's place.
    pub fn call_memhavoc(&mut self, pointer: Val<'c>, size: Val<'c>, number: u32) -> Val<'c> {
        let void = self.helpers.void;
        let params = [self.helpers.ptr, self.helpers.size, self.helpers.id];
        let (ty, func) =
            self.helpers
                .get(self.module, "memhavoc", "selkie.memhavoc", void, &params);
        self.builder
            .call(ty, func, &[pointer, size, self.id(number)])
    }

    /// The life of a variable may start or end, at the builder's place.
    pub fn call_maybe(&mut self, word: &str, pointer: Val<'c>) -> Val<'c> {
        let (void, ptr) = (self.helpers.void, self.helpers.ptr);
        let name = format!("selkie.maybe.{word}");
        let (ty, func) = self.helpers.get(self.module, "maybe", &name, void, &[ptr]);
        self.builder.call(ty, func, &[pointer])
    }

    /// An operation that LLVM must not reason about, with the total meaning of our IR:
    /// `selkie.sdiv.i32(x, y)`.
    pub fn call_total(&mut self, name: &str, result: Ty<'c>, args: &[Val<'c>]) -> Val<'c> {
        let params: Vec<Ty<'c>> = args.iter().map(|arg| arg.ty()).collect();
        let mut full = format!("selkie.{name}.{}", result.text());
        for param in &params {
            full.push('.');
            full.push_str(&param.text());
        }
        let (ty, func) = self
            .helpers
            .get(self.module, "total", &full, result, &params);
        self.builder.call(ty, func, args)
    }
}
