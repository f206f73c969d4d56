//! The versions that the linked libraries report of themselves.

use std::ffi::CStr;

/// Major, minor, build and revision of the Z3 library that is loaded.
pub(crate) fn z3() -> [u32; 4] {
    let mut parts = [0; 4];
    let [major, minor, build, revision] = &mut parts;
    // SAFETY: the four pointers are valid for writing an unsigned int each, which is all that the function does.
    unsafe { z3_sys::Z3_get_version(major, minor, build, revision) };
    parts
}

/// The version of Bitwuzla that is linked.
pub(crate) fn bitwuzla() -> String {
    // SAFETY: the function takes nothing and returns a string of static storage.
    let text = unsafe { bitwuzla_sys::bitwuzla_version() };
    // SAFETY: the pointer is a NUL-terminated string that is never freed.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
