//! What the contract names and we have not built yet: said in so many words.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of `verify`.
const OPTIONS: &[&str] = &["--fmap"];

/// Commands.
const COMMANDS: [&str; 1] = ["check-certificate"];

/// The sentence, if the mistake is ours.
pub fn excuse(error: &clap::Error) -> Option<String> {
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None, // Other contexts are lists and numbers.
    };
    let what = match error.kind() {
        ErrorKind::UnknownArgument => text(ContextKind::InvalidArg)
            .filter(|option| OPTIONS.contains(option))?
            .to_owned(),
        ErrorKind::InvalidSubcommand => {
            let command = text(ContextKind::InvalidSubcommand)?;
            let known = COMMANDS.contains(&command);
            known.then(|| format!("selkie {command}"))?
        }
        _ => return None, // A mistake of another kind.
    };
    Some(format!("{what} is not built yet"))
}
