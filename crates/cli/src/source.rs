//! Lines of source files, for excerpts and traces.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// Source files that were read already.
#[derive(Default)]
pub struct Sources {
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// A line of a file, counted from one, if both are there.
    pub fn line(&self, file: &str, number: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes)
                .lines()
                .map(str::to_owned)
                .collect()
        });
        lines.get((number as usize).checked_sub(1)?).cloned()
    }
}
