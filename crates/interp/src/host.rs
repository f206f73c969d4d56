//! Functions that the host provides when the module has no body for them (`selkie run`).
//!
//! [`Stdio`] has the part of C's library that talks to the outside, and what programs that print
//! need besides. Each function is one line of [`table`]; everything else of the library is
//! modelled in C.

use std::io::{BufRead, Write};

use base::Bv;
use ir::syntax::{FloatTy, Func, Module, Type};

use crate::config::GlobalChoice;
use crate::memory::{ANY_MEMORY, Fault, Memory, Pointer};
use crate::value::Value;

mod decimal;
mod printf;
mod scanf;
mod table;

/// What a host's function did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It returned these results.
    Return(Vec<Value>),
    /// It ended the program.
    Exit(i32),
    /// It ended the program abnormally.
    Abort,
    /// It cannot go on: a bad pointer, a format that is not supported. The sentence says what.
    Stuck(String),
    /// The host has no such function.
    Unknown,
}

/// A call of a function without a body.
pub struct HostCall<'a> {
    /// The program.
    pub module: &'a Module,
    /// Its memory.
    pub memory: &'a mut Memory,
    /// Whom it calls.
    pub func: Func,
    /// The arguments. Those of a variable number are in memory; the last argument points there.
    pub args: &'a [Value],
    /// The types of the results.
    pub results: &'a [Type],
}

/// Native implementations of external functions.
pub trait Host {
    /// Choices about globals that belong to the host, such as `stdout`.
    fn globals(&self, _module: &Module) -> Vec<GlobalChoice> {
        Vec::new()
    }

    /// Does a call.
    fn call(&mut self, call: &mut HostCall<'_>) -> Answer;
}

/// The streams of the host.
pub struct Stdio<'a> {
    /// What the program reads.
    pub input: &'a mut dyn BufRead,
    /// What it writes to standard output.
    pub output: &'a mut dyn Write,
    /// What it writes to standard error.
    pub errors: &'a mut dyn Write,
}

/// A stream of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    Input,
    Output,
    Errors,
}

/// Names of the streams' globals and the addresses that stand for their `FILE`s; nothing is there.
const STREAMS: [(&str, u64, Stream); 3] = [
    ("stdin", 0x10, Stream::Input),
    ("stdout", 0x20, Stream::Output),
    ("stderr", 0x30, Stream::Errors),
];

impl Host for Stdio<'_> {
    fn globals(&self, module: &Module) -> Vec<GlobalChoice> {
        let mut choices = Vec::new();
        for (name, address, _) in STREAMS {
            if let Some(global) = module.global_named(name) {
                choices.push(GlobalChoice {
                    global,
                    address: None,
                    bytes: vec![(0, address as u8)],
                });
            }
        }
        choices
    }

    fn call(&mut self, call: &mut HostCall<'_>) -> Answer {
        let name = &call.module.funcs[call.func].name;
        match table::find(name) {
            None => Answer::Unknown,
            Some(function) => match function(self, call) {
                Ok(answer) => answer,
                Err(why) => Answer::Stuck(format!("{name}: {why}")),
            },
        }
    }
}

/// A function of the table; the error says why it cannot go on.
type Native = fn(&mut Stdio<'_>, &mut HostCall<'_>) -> Result<Answer, String>;

impl HostCall<'_> {
    /// An integer argument, or a pointer's address.
    fn int(&self, index: usize) -> Result<u64, String> {
        match self.args.get(index) {
            Some(Value::Int(bv)) => Ok(bv.low_u64()),
            Some(Value::Pointer(pointer)) => Ok(pointer.address),
            Some(Value::Float(..) | Value::Memory(..)) | None => {
                Err(format!("argument {index} is no integer"))
            }
        }
    }

    /// A signed integer argument.
    fn signed(&self, index: usize) -> Result<i64, String> {
        match self.args.get(index) {
            Some(Value::Int(bv)) => Ok(bv.to_i64().unwrap_or(bv.low_u64() as i64)),
            _ => Err(format!("argument {index} is no integer")),
        }
    }

    /// A pointer argument.
    fn pointer(&self, index: usize) -> Result<Pointer, String> {
        match self.args.get(index) {
            Some(Value::Pointer(pointer)) => Ok(*pointer),
            _ => Err(format!("argument {index} is no pointer")),
        }
    }

    /// A `double` argument.
    fn double(&self, index: usize) -> Result<f64, String> {
        match self.args.get(index) {
            Some(Value::Float(FloatTy::F64, bits)) => Ok(f64::from_bits(bits.low_u64())),
            Some(Value::Float(FloatTy::F32, bits)) => {
                Ok(f32::from_bits(bits.low_u64() as u32).into())
            }
            _ => Err(format!("argument {index} is no double")),
        }
    }

    /// The stream that a `FILE *` argument names.
    fn stream(&self, index: usize) -> Result<Stream, String> {
        let address = self.pointer(index)?.address;
        let known = STREAMS.iter().find(|&&(_, handle, _)| handle == address);
        match known {
            Some(&(_, _, stream)) => Ok(stream),
            None => Err("the stream is none of stdin, stdout and stderr".to_string()),
        }
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.module.machine.pointer_bits / 8)
    }

    /// Bytes of memory.
    fn bytes(&mut self, from: Pointer, len: u64) -> Result<Vec<u8>, String> {
        self.memory.reserve_briefly(len).map_err(sentence)?;
        let mut bytes = vec![0; len as usize];
        self.memory
            .read(from, &mut bytes, ANY_MEMORY)
            .map_err(sentence)?;
        Ok(bytes)
    }

    /// A string, without its terminator.
    fn string(&mut self, from: Pointer) -> Result<Vec<u8>, String> {
        self.string_up_to(from, u64::MAX)
    }

    /// A string of at most so many bytes; the terminator may then be missing.
    fn string_up_to(&mut self, from: Pointer, most: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut at = from;
        while (bytes.len() as u64) < most {
            let mut byte = [0];
            self.memory
                .read(at, &mut byte, ANY_MEMORY)
                .map_err(sentence)?;
            if byte[0] == 0 {
                break;
            }
            bytes.push(byte[0]);
            at.address = at.address.wrapping_add(1);
        }
        Ok(bytes)
    }

    /// Writes bytes to memory.
    fn store(&mut self, to: Pointer, bytes: &[u8]) -> Result<(), String> {
        self.memory.write(to, bytes, ANY_MEMORY).map_err(sentence)
    }

    /// Writes a string and its terminator.
    fn store_string(&mut self, to: Pointer, bytes: &[u8]) -> Result<(), String> {
        let mut all = bytes.to_vec();
        all.push(0);
        self.store(to, &all)
    }

    /// A pointer in memory.
    fn load_pointer(&mut self, from: Pointer) -> Result<Pointer, String> {
        let result = match self.pointer_bytes() {
            4 => self.memory.load_pointer::<4>(from, ANY_MEMORY),
            _ => self.memory.load_pointer::<8>(from, ANY_MEMORY),
        };
        result.map_err(sentence)
    }

    /// Returns an integer, as wide as the result is.
    fn give(&self, value: i64) -> Result<Answer, String> {
        match self.results {
            [] => Ok(Answer::Return(Vec::new())),
            [Type::Int(width)] => Ok(Answer::Return(vec![Value::Int(Bv::from_i64(
                value, *width,
            ))])),
            _ => Err("the result is no integer".to_string()),
        }
    }

    /// Returns a pointer.
    fn give_pointer(&self, pointer: Pointer) -> Result<Answer, String> {
        match self.results {
            [] => Ok(Answer::Return(Vec::new())),
            [Type::Ptr] => Ok(Answer::Return(vec![Value::Pointer(pointer)])),
            _ => Err("the result is no pointer".to_string()),
        }
    }

    /// Returns a `double` (or a `float`).
    fn give_double(&self, value: f64) -> Result<Answer, String> {
        let result = match self.results {
            [Type::Float(FloatTy::F64)] => {
                Value::Float(FloatTy::F64, Bv::from_u64(value.to_bits(), 64))
            }
            [Type::Float(FloatTy::F32)] => {
                let bits = (value as f32).to_bits();
                Value::Float(FloatTy::F32, Bv::from_u64(bits.into(), 32))
            }
            _ => return Err("the result is no double".to_string()),
        };
        Ok(Answer::Return(vec![result]))
    }
}

/// A fault of memory, as a host's function reports it.
fn sentence(fault: Fault) -> String {
    match fault {
        Fault::Outside => "an access outside a live object".to_string(),
        Fault::Region(_) => "an access to another memory".to_string(),
        Fault::Full(why) | Fault::Misplaced(why) => why,
    }
}

impl Stdio<'_> {
    /// Writes to a stream. What the host refuses to take is lost, as with a closed pipe.
    fn print(&mut self, stream: Stream, bytes: &[u8]) -> Result<(), String> {
        let done = match stream {
            Stream::Input => return Err("the stream is for reading".to_string()),
            Stream::Output => self.output.write_all(bytes),
            Stream::Errors => {
                // Keep the order that a terminal would show.
                self.output.flush().ok();
                self.errors.write_all(bytes)
            }
        };
        done.map_err(|error| format!("the host cannot write: {error}"))
    }

    /// The next byte of the input, which stays there.
    fn peek(&mut self) -> Option<u8> {
        self.output.flush().ok();
        self.input.fill_buf().ok()?.first().copied()
    }

    /// The next byte of the input.
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.input.consume(1);
        Some(byte)
    }
}
