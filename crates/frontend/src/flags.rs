//! The arguments that every source file is compiled with, the user's files and the models alike.
//! `build.rs` reads this file too.

/// Arguments of clang for user's files and models.
pub const COMMON: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fno-builtin",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-fno-stack-protector",
    "-fno-threadsafe-statics",
    "-Xclang",
    "-no-enable-noundef-analysis",
    "-ftrivial-auto-var-init=pattern",
    "-D__SELKIE__=1",
    "-U_FORTIFY_SOURCE",
];

/// Further arguments for models: places are needed, variables are not.
pub const MODEL: &[&str] = &["-w", "-std=gnu11", "-fwrapv-pointer", "-gline-tables-only"];

/// The macro that models look at where check `deref` is off.
pub const NO_DEREF: &str = "SELKIE_NO_DEREF";

/// The program, where Debian's package puts it, and by its name.
pub const PROGRAMS: [&str; 2] = ["/usr/lib/llvm-22/bin/clang", "clang-22"];

/// The program that reads LLVM's text and bitcode.
#[allow(dead_code, reason = "build.rs has no use for it")]
pub const READER: &str = "/usr/lib/llvm-22/bin/opt";
