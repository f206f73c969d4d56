//! From C and LLVM bitcode to Raw IR; LLVM stops here.
