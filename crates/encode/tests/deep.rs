//! Long chains of writes are read, compared and dropped on a small stack.

use base::Bv;
use encode::encoding::Encoding;
use encode::memory::{Case, Contents, Init, Range, Scalar, Shared};
use encode::world::World;
use terms::{Model, Sort, Term, Terms, Value};

const LONG: u64 = 200_000;

/// Works on a stack of 256 KiB.
fn on_a_small_stack(work: impl FnOnce(&mut World<'_>) + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 18);
    let done = thread.spawn(|| {
        let module = ir::text::read("module pure ptr64\n").expect("an empty program");
        let mut terms = Terms::new();
        let mut world = World::new(&mut terms, &module, Encoding::default());
        work(&mut world);
    });
    done.expect("a thread can be started")
        .join()
        .expect("nothing overflows");
}

/// Writes a byte at an offset.
fn write(
    world: &mut World<'_>,
    shared: &mut Shared,
    contents: &mut Contents,
    at: Term,
    byte: Scalar,
) {
    let guard = world.terms.tru();
    let skip = world.word(0);
    let case = Case {
        guard,
        contents,
        offset: at,
        size: None,
    };
    world.write_one_of(shared, &mut [case], (skip, 1), byte);
}

fn value(world: &World<'_>, inputs: &[(Term, u64)], term: Term) -> u64 {
    let mut model = Model::new();
    for &(var, number) in inputs {
        model.set(world.terms, var, Value::Bv(Bv::from_u64(number, 64)));
    }
    let value = world.terms.eval(&model, term);
    value.expect_bv().to_u64().expect("a byte")
}

#[test]
fn stores_at_unknown_offsets_with_known_ones_between() {
    on_a_small_stack(|world| {
        let [x, y] = ["x", "y"].map(|name| world.terms.var(name, Sort::BitVec(64)));
        let mut shared = world.empty_memory(1).shared;
        let mut contents = world.contents(&mut shared, Init::Zero, 1);
        for number in 0..LONG {
            let byte = Scalar::Bits(world.terms.bv_u64(number % 251, 8));
            let step = world.word(number);
            let offset = world.terms.add(x, step);
            write(world, &mut shared, &mut contents, offset, byte);
            let far = world.word(1 << 20);
            write(world, &mut shared, &mut contents, far, byte);
        }
        let read = world.read(&shared, &contents, y, 1, None);
        let bits = world.scalar_bits(read);
        assert_eq!(value(world, &[(x, 0), (y, 77_777)], bits), 77_777 % 251);
        assert_eq!(value(world, &[(x, 0), (y, LONG)], bits), 0);
        assert_eq!(
            value(world, &[(x, 0), (y, 1 << 20)], bits),
            (LONG - 1) % 251
        );
    });
}

#[test]
fn copies_of_copies_of_unknown_length() {
    on_a_small_stack(|world| {
        let always = world.terms.tru();
        let [x, y, len] = ["x", "y", "len"].map(|name| world.terms.var(name, Sort::BitVec(64)));
        let seven = world.terms.bv_u64(7, 8);
        let mut shared = world.empty_memory(1).shared;
        let zeros = world.contents(&mut shared, Init::Zero, 1);
        let mut contents = zeros.clone();
        write(world, &mut shared, &mut contents, x, Scalar::Bits(seven));
        for _ in 0..LONG {
            let mut copy = zeros.clone();
            let range = Range {
                guard: always,
                offset: x,
                len,
                size: None,
            };
            let its = shared.clone();
            world.copy_range(&mut shared, &mut copy, range, (&contents, &its), (x, None));
            contents = copy;
        }
        let read = world.read(&shared, &contents, y, 1, None);
        let bits = world.scalar_bits(read);
        assert_eq!(value(world, &[(x, 3), (y, 3), (len, 1)], bits), 7);
        assert_eq!(value(world, &[(x, 3), (y, 4), (len, 9)], bits), 0);
        assert_eq!(value(world, &[(x, 3), (y, 3), (len, 0)], bits), 0);
    });
}
