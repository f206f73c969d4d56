//! The back ends, and the only place where foreign code is touched.

pub(crate) mod ffi_version;
