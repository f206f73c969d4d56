//! Laws of the text format over random programs.

use golden::mangle::mangle;
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use ir::syntax::{Const, FuncData, Operand, Type};
use ir::{text, tidy, wellformed};

fn program(seed: u64) -> ir::syntax::Module {
    let mut options = Options::new(seed, (seed % 200) as usize);
    options.failures = Use::Yes;
    options.externs = Use::Yes;
    options.recursion = Use::Yes;
    random::module(&options)
}

#[test]
fn reading_what_was_written_gives_the_module_back() {
    for seed in 0..500 {
        let module = program(seed);
        assert_eq!(text::read(&module.to_string()), Ok(module), "seed {seed}");
    }
}

#[test]
fn each_function_and_each_block_can_be_read_alone() {
    for seed in 0..100 {
        let module = program(seed);
        for (func, data) in module.funcs.iter() {
            let alone = text::display_func(&module, func).to_string();
            let read = text::read(&alone).unwrap_or_else(|error| panic!("{error}\n{alone}"));
            let same = read.func_named(&data.name).expect("it is read");
            assert_eq!(text::display_func(&read, same).to_string(), alone);
            read_blocks_alone(&module, data);
        }
    }
}

fn read_blocks_alone(module: &ir::syntax::Module, data: &FuncData) {
    let Some(body) = &data.body else { return };
    for block in body.blocks.keys() {
        let alone = text::display_block(module, body, block).to_string();
        match text::read(&alone) {
            Ok(read) => {
                let func = read.func_named("fragment").expect("it is read");
                let same = text::display_block(&read, read.body(func), block).to_string();
                assert_eq!(same, alone);
            }
            // Where nothing tells the type of a value, the reader says so.
            Err(error) => assert!(
                error
                    .message
                    .ends_with("is not known: make it a parameter of b0"),
                "{error}\n{alone}"
            ),
        }
    }
}

#[test]
fn tidying_changes_no_text_and_settles() {
    for seed in 0..200 {
        let mut module = program(seed);
        let mut rng = Rng::new(seed);
        // What passes do: blocks lose instructions, and get others in another order.
        for func in module.funcs.values_mut() {
            let Some(body) = &mut func.body else { continue };
            let insts = &body.insts;
            for block in body.blocks.values_mut() {
                let goes = |rng: &mut Rng| rng.one_in(3);
                block
                    .insts
                    .retain(|&inst| !insts[inst].results.is_empty() || !goes(&mut rng));
                block.insts.reverse();
            }
        }
        let written = module.to_string();
        tidy::tidy(&mut module);
        assert_eq!(module.to_string(), written);
        let once = module.clone();
        tidy::tidy(&mut module);
        assert_eq!(module, once);
    }
}

#[test]
fn mangled_text_never_panics() {
    let corpus: Vec<String> = (0..40).map(|seed| program(seed).to_string()).collect();
    let mut rng = Rng::new(1);
    let mut read = 0;
    for _ in 0..6000 {
        let (one, other) = (rng.pick(&corpus).clone(), rng.pick(&corpus));
        let spoiled = mangle(&one, other, &mut rng);
        let Ok(module) = text::read(&spoiled) else {
            continue;
        };
        read += 1;
        let checked = wellformed::check(&module);
        let written = module.to_string();
        let again = text::read(&written).unwrap_or_else(|error| panic!("{error}\n{spoiled}"));
        assert_eq!(again.to_string(), written);
        if checked.is_ok() {
            assert_eq!(again, module);
        }
    }
    assert!(read > 100, "only {read} of the mangled texts could be read");
}

#[test]
fn modules_out_of_order_never_panic() {
    let mut complaints = 0;
    for seed in 0..300 {
        let mut module = program(seed);
        let mut rng = Rng::new(seed);
        let globals = module.globals.len();
        for func in module.funcs.values_mut() {
            let Some(body) = &mut func.body else { continue };
            let values = body.values.len() as u64;
            for inst in body.insts.values_mut() {
                if !rng.one_in(40) {
                    continue;
                }
                let beyond = Const::Global(ir::syntax::Global::from_index(globals + 1), 0);
                let value = ir::syntax::Value::from_index(rng.below(values + 2) as usize);
                let operand = match rng.one_in(3) {
                    true => Operand::Const(beyond),
                    false => Operand::Value(value),
                };
                inst.op.map_operands(|_| operand.clone());
                if rng.one_in(4) {
                    inst.results.push(value);
                }
            }
            for value in body.values.values_mut().filter(|_| rng.one_in(100)) {
                value.ty = Type::Int(9);
            }
            let blocks = body.blocks.len();
            for block in body.blocks.values_mut() {
                if !rng.one_in(20) {
                    continue;
                }
                for target in block.terminator.targets_mut() {
                    target.block = ir::syntax::Block::from_index(rng.index(blocks + 1));
                }
            }
        }
        assert!(!module.to_string().is_empty());
        complaints += wellformed::check(&module)
            .err()
            .map_or(0, |list| list.len());
    }
    assert!(complaints > 1000, "{complaints}");
}
