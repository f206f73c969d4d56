//! What the front end knows of an obligation.

/// What is known of an obligation before anybody looks at the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// Nothing.
    #[default]
    Plain,
    /// Its author claims the condition that guards it, `if (…) reach_error();`: where that is never
    /// reached, it claims nothing.
    Claim,
    /// It stood where executions come, and was taken away because it holds there.
    Held,
}
