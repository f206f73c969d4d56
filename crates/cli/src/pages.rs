//! `selkie pages FOLDER`: man pages and completions of shells, from the same table as `--help`. `./x install` runs it.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use results::Failure;

use crate::args::Cli;

/// Shells, and where below a prefix their completions are looked for.
const SHELLS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
];

/// Writes them below a folder: that of a prefix's `share`.
pub fn write(folder: &Path) -> Result<u8, Failure> {
    let say = |error: std::io::Error| Failure::usage(format!("{}: {error}", folder.display()));
    let manuals = folder.join("man/man1");
    fs::create_dir_all(&manuals).map_err(say)?;
    let mut command = Cli::command();
    command.build();
    clap_mangen::generate_to(command.clone(), &manuals).map_err(say)?;
    for (shell, place) in SHELLS {
        let place = folder.join(place);
        fs::create_dir_all(&place).map_err(say)?;
        clap_complete::generate_to(shell, &mut command, "selkie", &place).map_err(say)?;
    }
    Ok(0)
}
