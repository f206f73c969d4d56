//! The page.
use crate::report::Report;
/// The page.
pub fn render(_report: &Report<'_>) -> String {
    String::new()
}
