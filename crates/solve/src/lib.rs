//! Solver back ends, and validation of every answer.
