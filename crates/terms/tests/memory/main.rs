//! The theory of memory: its rules, and reads after any number of writes, against memories made of bytes.

mod concrete;
mod programs;
mod ranges;
mod rows;
mod thesis;
