//! The machine that times were measured on: without it they mean little.

use std::fmt;
use std::fs;
use std::thread;

use serde::Serialize;

/// What matters for speed.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Hardware {
    /// The model of its processor; empty if it does not say.
    pub cpu: String,
    /// How many cores this process may use.
    pub cores: usize,
    /// Its memory in 10^6 bytes; zero if it does not say.
    pub memory_mb: u64,
}

impl fmt::Display for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hardware {
            cpu,
            cores,
            memory_mb,
        } = self;
        write!(f, "{cores} cores, {} GB", memory_mb.div_ceil(1000))?;
        match cpu.as_str() {
            "" => Ok(()),
            cpu => write!(f, ", {cpu}"),
        }
    }
}

/// Looks at the machine that this runs on.
pub fn look() -> Hardware {
    let field = |file: &str, label: &str| -> Option<String> {
        let text = fs::read_to_string(file).ok()?;
        let mut lines = text.lines();
        let (_, value) = lines
            .find(|line| line.starts_with(label))?
            .split_once(':')?;
        Some(value.trim().to_owned())
    };
    let kilobytes = field("/proc/meminfo", "MemTotal")
        .and_then(|value| value.split(' ').next()?.parse::<u64>().ok());
    Hardware {
        cpu: field("/proc/cpuinfo", "model name").unwrap_or_default(),
        cores: thread::available_parallelism().map_or(1, usize::from),
        memory_mb: kilobytes.unwrap_or(0) * 1024 / 1_000_000,
    }
}
