//! Source places: file, line and column, as clang and SMT-LIB readers count them (from one).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A place in a source file. Files share their name, so that a place costs three words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file's name as the user wrote it.
    pub file: Arc<str>,
    /// The line, counted from one; zero when it is not known.
    pub line: u32,
    /// The column, counted from one; zero when it is not known.
    pub col: u32,
}

impl Place {
    /// The place `file:line:col`.
    pub fn new(file: impl Into<Arc<str>>, line: u32, col: u32) -> Place {
        Place {
            file: file.into(),
            line,
            col,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.col)
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_prints_as_compilers_write_it() {
        assert_eq!(Place::new("dir/f.c", 3, 14).to_string(), "dir/f.c:3:14");
    }

    #[test]
    fn places_are_ordered_by_file_then_line_then_column() {
        let a = Place::new("f.c", 9, 20);
        assert!(a < Place::new("f.c", 10, 1));
        assert!(a < Place::new("f.c", 9, 21));
        assert!(a < Place::new("g.c", 1, 1));
    }
}
