//! What is kept of clang's work is what clang would make now.

mod common;

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use frontend::{Options, Warnings};

/// A program in a folder, and a cache.
struct Project {
    folder: tempfile::TempDir,
    options: Options,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = Options::new([folder.path().join("f.c")]);
        options.cache = Some(folder.path().join("cache"));
        for name in ["first", "second"] {
            options.includes.push(folder.path().join(name));
        }
        let project = Project { folder, options };
        for (name, text) in files {
            project.write(name, text);
        }
        project.wait();
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }

    /// What was written a moment ago is not kept.
    fn wait(&self) {
        std::thread::sleep(Duration::from_millis(60));
    }

    /// The program, which is the same without a cache.
    fn load(&self) -> String {
        let load = |options: &Options| {
            let module = frontend::load(options);
            module.unwrap_or_else(|error| panic!("{error}")).to_string()
        };
        let with = load(&self.options);
        let without = load(&Options {
            cache: None,
            ..self.options.clone()
        });
        assert_eq!(with, without);
        with
    }

    /// The files of bitcode that are kept; a file that is made anew has another number.
    fn kept(&self) -> Vec<(PathBuf, u64)> {
        let mut list = Vec::new();
        let folder = self.folder.path().join("cache/1");
        for part in fs::read_dir(folder).into_iter().flatten() {
            let part = part.expect("a folder").path();
            let files = fs::read_dir(&part).into_iter().flatten();
            for file in files.map(|file| file.expect("a file").path()) {
                if file.extension().is_some_and(|kind| kind == "made") {
                    let number = fs::metadata(&file).expect("it is there").ino();
                    list.push((file, number));
                }
            }
        }
        list.sort();
        list
    }
}

#[test]
fn what_did_not_change_is_not_compiled_again() {
    let project = Project::new(&[
        ("f.c", "#include \"h.h\"\nint main(void) { return X; }"),
        ("second/h.h", "#define X 1\n"),
    ]);
    let first = project.load();
    let kept = project.kept();
    assert_eq!(kept.len(), 1);
    assert_eq!(project.load(), first);
    assert_eq!(project.kept(), kept);
    // Another header, another program; and back again.
    project.write("second/h.h", "#define X 2\n");
    project.wait();
    assert_ne!(project.load(), first);
    assert_eq!(project.kept().len(), 2);
    project.write("second/h.h", "#define X 1\n");
    project.wait();
    assert_eq!(project.load(), first);
    assert_eq!(project.kept().len(), 2);
    assert!(kept.iter().all(|file| project.kept().contains(file)));
}

#[test]
fn arguments_are_part_of_the_question() {
    let mut project = Project::new(&[("f.c", "int main(void) { return X; }")]);
    project.options.defines = vec!["X=1".to_owned()];
    let first = project.load();
    project.options.defines = vec!["X=2".to_owned()];
    assert_ne!(project.load(), first);
    assert_eq!(project.kept().len(), 2);
}

#[test]
fn a_header_that_appears_in_an_earlier_folder_is_seen() {
    for there in [true, false] {
        let project = Project::new(&[
            ("f.c", "#include <sub/h.h>\nint main(void) { return X; }"),
            ("second/sub/h.h", "#define X 1\n"),
        ]);
        if there {
            project.write("first/other.h", "");
            project.wait();
        }
        let before = project.load();
        project.write("first/sub/h.h", "#define X 2\n");
        project.wait();
        assert_ne!(project.load(), before);
    }
}

#[test]
fn a_header_beside_the_file_that_includes_it_is_seen() {
    let project = Project::new(&[
        ("f.c", "#include \"a.h\"\nint main(void) { return X; }"),
        ("first/a.h", "#include \"b.h\"\n"),
        ("second/b.h", "#define X 1\n"),
    ]);
    let before = project.load();
    project.write("first/b.h", "#define X 2\n");
    project.wait();
    assert_ne!(project.load(), before);
}

#[test]
fn a_header_that_was_asked_for_is_seen() {
    let project = Project::new(&[(
        "f.c",
        "#if __has_include(<h.h>)\n#define X 2\n#else\n#define X 1\n#endif\nint main(void) { return X; }",
    )]);
    let before = project.load();
    assert_eq!(project.kept().len(), 1);
    project.write("second/h.h", "");
    project.wait();
    assert_ne!(project.load(), before);
}

/// Clang takes two names of one folder, or of one file, for one; later they may be two.
#[test]
fn names_that_lead_elsewhere_later_are_seen() {
    use std::os::unix::fs::symlink;
    let mut project = Project::new(&[
        ("f.c", "#include <h.h>\nint main(void) { return X; }"),
        ("first/other.h", ""),
        ("third/h.h", "#define X 1\n"),
        ("fourth/h.h", "#define X 2\n"),
    ]);
    let path = |name: &str| project.folder.path().join(name);
    let (second, third) = (path("second"), path("third"));
    symlink(path("first"), &second).expect("a link");
    let fourth = path("fourth");
    project.options.includes.push(third);
    project.wait();
    let before = project.load();
    assert_eq!(project.kept().len(), 1);
    fs::remove_file(&second).expect("it was there");
    symlink(fourth, &second).expect("a link");
    project.wait();
    assert_ne!(project.load(), before);
    // A file that is included once, by two names.
    let text = "#pragma once\n#ifdef X\n#define Y 2\n#else\n#define X 1\n#endif\n";
    let project = Project::new(&[
        (
            "f.c",
            "#include \"a.h\"\n#include \"b.h\"\n#ifndef Y\n#define Y 1\n#endif\nint main(void) { return Y; }",
        ),
        ("a.h", text),
    ]);
    let b = project.folder.path().join("b.h");
    symlink("a.h", &b).expect("a link");
    project.wait();
    let before = project.load();
    assert_eq!(project.kept().len(), 1);
    fs::remove_file(&b).expect("it was there");
    project.write("b.h", text);
    project.wait();
    assert_ne!(project.load(), before);
}

#[test]
fn what_changes_without_a_file_is_not_kept() {
    for text in [
        "int main(void) { return __TIME__[7]; }",
        "#define H <h.h>\n#if __has_include(H)\n#endif\nint main(void) { return 0; }",
        "#if __has_include/**/(<h.h>)\n#endif\nint main(void) { return 0; }",
        "#define HAS __has_include\n#if HAS(<h.h>)\n#endif\nint main(void) { return 0; }",
        "#if __has_\\\ninclude/**/(<h.h>)\n#endif\nint main(void) { return 0; }",
    ] {
        let project = Project::new(&[("f.c", text)]);
        frontend::load(&project.options).expect("it compiles");
        assert_eq!(project.kept(), []);
    }
    // What arguments say is as much a part of the program.
    for (name, meaning) in [("T", "__TIME__[7]"), ("T", "__has_include(<h.h>)")] {
        let mut project = Project::new(&[("f.c", "#if 0\n#endif\nint main(void) { return 0; }")]);
        project.options.defines = vec![format!("{name}={meaning}")];
        frontend::load(&project.options).expect("it compiles");
        assert_eq!(project.kept(), []);
    }
    // Whether there is such a word is no question for a file.
    let text = "#if defined(__has_include) || defined __has_include\n#endif\n#ifdef __has_include\n#endif\nint main(void) { return 0; }";
    let project = Project::new(&[("f.c", text)]);
    project.load();
    assert_eq!(project.kept().len(), 1);
    // Nor is what was written while clang may have been at work.
    let project = Project::new(&[]);
    project.write("f.c", "int main(void) { return 0; }");
    project.load();
    assert_eq!(project.kept(), []);
}

#[test]
fn what_is_damaged_is_made_anew() {
    let project = Project::new(&[("f.c", "int main(void) { return 3; }")]);
    let first = project.load();
    let (file, _) = project.kept().remove(0);
    let good = fs::read(&file).expect("it is there");
    for place in [0, 40, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[place] ^= 1;
        fs::write(&file, bad).expect("it is written");
        assert_eq!(project.load(), first);
        assert_eq!(fs::read(&file).expect("it is there"), good);
    }
    fs::write(&file, []).expect("it is written");
    assert_eq!(project.load(), first);
}

#[test]
fn warnings_are_said_again() {
    let mut project = Project::new(&[("f.c", "int main(void) { int x; return 1 / 0; }")]);
    project.options.warnings = Warnings::Plain;
    let said = |options: &Options| {
        let loaded = frontend::load_described(options, &mut |_, _| {});
        loaded.unwrap_or_else(|error| panic!("{error}")).warnings
    };
    let first = said(&project.options);
    assert!(first.contains("division by zero"), "{first}");
    assert_eq!(project.kept().len(), 1);
    assert_eq!(said(&project.options), first);
    project.options.cache = None;
    assert_eq!(said(&project.options), first);
}

#[test]
fn runs_may_meet() {
    let project = Project::new(&[("f.c", "int main(void) { return 4; }")]);
    let expected = Project::new(&[("f.c", "int main(void) { return 4; }")]).load();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let module = frontend::load(&project.options).expect("it compiles");
                    module.to_string()
                })
            })
            .collect();
        for run in runs {
            let module = run.join().expect("it ends");
            assert_eq!(
                without_folder(&module, &project),
                without_folder(&expected, &project)
            );
        }
    });
    assert_eq!(project.kept().len(), 1);
    let scratch = fs::read_dir(project.folder.path().join("cache/1")).expect("a folder");
    let left = scratch.filter(|file| Path::is_file(&file.as_ref().expect("a file").path()));
    assert_eq!(left.count(), 0);
}

/// The text without the names of files.
fn without_folder(text: &str, _: &Project) -> String {
    let lines = text.lines().filter(|line| !line.contains("/f.c"));
    lines.collect::<Vec<_>>().join("\n")
}
