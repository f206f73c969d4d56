//! What the contract names and we have not built yet: said in so many words.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of `verify`.
const OPTIONS: &[&str] = &["--fmap"];

/// Values of options.
const VALUES: [(&str, &str); 1] = [("--memory", "seam")];

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
        ErrorKind::InvalidValue => {
            let option = text(ContextKind::InvalidArg)?;
            let value = text(ContextKind::InvalidValue)?;
            let known = VALUES
                .iter()
                .any(|(name, of)| option.starts_with(name) && value == *of);
            known.then(|| format!("{} {value}", option.split(' ').next().unwrap_or(option)))?
        }
        _ => return None, // A mistake of another kind.
    };
    Some(format!("{what} is not built yet"))
}
