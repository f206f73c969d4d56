//! Names that mean something: assertions, assumptions, free choices and memory queries, in our
//! own spelling (`selkie.h`) and in that of other tools.

/// What the program claims by a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The failing side of C's `assert`; does not return.
    AssertFail,
    /// The n-th argument is not zero.
    Assert(usize),
    /// The first argument implies the second.
    AssertIf,
    /// Executions where the n-th argument is zero do not count.
    Assume(usize),
    /// Executions where the n-th argument is not zero do not count.
    AssumeNot(usize),
    /// The call itself is the error.
    Reach,
    /// The first argument is not zero; the others name the check and the text.
    Named,
}

/// The claim that a call of this function makes.
pub fn claim(name: &str) -> Option<Claim> {
    Some(match name {
        "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__assert_func" => Claim::AssertFail,
        "sk_assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "sassert" | "__SEA_assert"
        | "verifier.assert" | "__llbmc_assert" => Claim::Assert(0),
        "sea_assert_if" | "__VERIFIER_assert_if" => Claim::AssertIf,
        "sk_assume"
        | "__VERIFIER_assume"
        | "__CPROVER_assume"
        | "__SEA_assume"
        | "assume"
        | "verifier.assume"
        | "__llbmc_assume"
        | "assume_abort_if_not" => Claim::Assume(0),
        "__selkie_check" => Claim::Named,
        "verifier.assume.not" => Claim::AssumeNot(0),
        "reach_error" | "__VERIFIER_error" | "verifier.error" | "seahorn.fail"
        | "__SEAHORN_fail" => Claim::Reach,
        _ => return None,
    })
}

/// Does a function of this name without parameters and body return a free choice? Its type says
/// of what.
pub fn is_nondet(name: &str) -> bool {
    name.starts_with("sk_nondet_")
        || name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("verifier.nondet")
        || name.starts_with("nondet_")
        || name.starts_with("nd_")
        || name.starts_with("sea_nd_")
        || name.starts_with("__CPROVER_nondet_")
        || name == "nd"
        || name == "nondet"
}

/// Is it one of our own `__selkie_nondet_approx_…`, used by models?
pub fn is_nondet_approx(name: &str) -> bool {
    name.starts_with("__selkie_nondet_approx_")
}

/// Is it one of our own `__selkie_nondet_extern_…`, used by models?
pub fn is_nondet_extern(name: &str) -> bool {
    name.starts_with("__selkie_nondet_extern_")
}
