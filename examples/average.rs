// Rust: what the compiler checks itself is checked by calls that do not return; whether they are reached is the question.
#![crate_type = "lib"]
#![no_std]

extern "C" {
    fn sk_nondet_uint() -> u32;
    fn sk_assert(condition: bool);
}

fn average(a: u32, b: u32) -> u32 {
    a / 2 + b / 2 + (a & b & 1)
}

#[no_mangle]
pub unsafe extern "C" fn main() -> i32 {
    let (a, b) = (sk_nondet_uint(), sk_nondet_uint());
    let mean = average(a, b);
    sk_assert(mean as u64 == (a as u64 + b as u64) / 2);
    0
}
