//! What README, the examples and the book show is what the commands print.
//!
//! A block
//!
//! ````text
//! ```console
//! $ selkie verify examples/first.c
//! …
//! ```
//! ````
//!
//! is run line by line; its output, standard error included, is what stands below, but for times, the values of
//! counterexamples, and what the second solver thinks. A block `c file=NAME` is a file that the page works with. `BLESS=1` writes down what is printed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository is there")
}

/// The pages with commands.
fn pages() -> Vec<PathBuf> {
    let mut list = vec![root().join("README.md"), root().join("examples/README.md")];
    let book = std::fs::read_dir(root().join("docs/book/src")).expect("the book is there");
    let book = book.map(|entry| entry.expect("readable").path());
    list.extend(book.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    list.sort();
    list
}

/// A text without what differs from run to run: times, the values of a counterexample, what the second solver thinks.
fn settled(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        let gutter = start.trim_start_matches(['|', ' ']);
        if start.starts_with("- second opinion on the proof") {
            continue;
        }
        let frame = ["= in ", "= called from ", "in ", "called from "];
        let kept = if gutter.starts_with("^ ") {
            "^"
        } else if frame.iter().any(|word| start.starts_with(word)) {
            start.split(": ").next().unwrap_or(start)
        } else {
            line.trim_end()
        };
        let number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
        let parts = kept.split(number).filter(|part| !part.is_empty());
        let line = parts.collect::<Vec<_>>().join("#");
        list.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    list
}

/// A folder of the page's own, in which the examples can be seen.
fn scratch(page: &Path) -> PathBuf {
    let name = page.strip_prefix(root()).expect("a page of ours");
    let name = name.to_string_lossy().replace(['/', '.'], "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("book")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the page");
    for seen in ["examples", "lib"] {
        std::os::unix::fs::symlink(root().join(seen), folder.join(seen)).expect("a link");
    }
    folder
}

fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_selkie"));
    let programs = program.parent().expect("it is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .env("PATH", format!("{}:{path}", programs.display()))
        .current_dir(folder)
        .output()
        .expect("a shell runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The page as it should be, and how many commands it has.
fn rewritten(page: &Path) -> (String, usize) {
    let text = std::fs::read_to_string(page).expect("the page can be read");
    let folder = scratch(page);
    let mut out = String::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(name) = fence
            .split_whitespace()
            .find_map(|word| word.strip_prefix("file="))
        {
            let file = folder.join(name);
            let parent = file.parent().expect("a file is in a folder");
            std::fs::create_dir_all(parent).expect("a folder");
            std::fs::write(file, body.join("\n") + "\n").expect("the file can be written");
        }
        let mut block = String::new();
        if fence == "console" {
            for line in body.iter().filter(|line| line.starts_with("$ ")) {
                commands += 1;
                block.push_str(line);
                block.push('\n');
                block.push_str(&run(&line[2..], &folder));
            }
        }
        let before = body.join("\n") + "\n";
        if fence == "console" && settled(&block) != settled(&before) {
            out.push_str(&block);
        } else {
            body.iter().for_each(|line| {
                out.push_str(line);
                out.push('\n');
            });
        }
        out.push_str("```\n");
    }
    (out, commands)
}

#[test]
#[ignore = "long: some eighty programs are verified"]
fn every_command_prints_what_its_page_says() {
    let pages = pages();
    let done: Vec<(PathBuf, String, usize)> = std::thread::scope(|scope| {
        let work = pages.iter().map(|page| {
            scope.spawn(|| {
                let (text, commands) = rewritten(page);
                (page.clone(), text, commands)
            })
        });
        let work: Vec<_> = work.collect();
        let work = work.into_iter();
        work.map(|thread| thread.join().expect("a page is run"))
            .collect()
    });
    let commands: usize = done.iter().map(|(_, _, commands)| commands).sum();
    assert!(commands > 30, "only {commands} commands were found");
    let mut wrong = String::new();
    for (page, text, _) in done {
        let before = std::fs::read_to_string(&page).expect("the page can be read");
        if before == text {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, text).expect("the page can be written");
        } else {
            let at = before
                .lines()
                .zip(text.lines())
                .position(|(one, other)| one != other);
            let at = at.unwrap_or(0);
            let lines = |text: &str| -> String {
                let lines = text.lines().skip(at).take(8);
                lines.map(|line| format!("    {line}\n")).collect()
            };
            wrong.push_str(&format!(
                "{}:{}: the page says\n{}but it is\n{}",
                page.display(),
                at + 1,
                lines(&before),
                lines(&text)
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}(BLESS=1 writes it down)");
}

/// Every page is in the table of contents, and every one of these exists.
#[test]
fn the_table_of_contents_is_whole() {
    let folder = root().join("docs/book/src");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).expect("a table of contents");
    let listed: Vec<&str> = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(name, _)| name)
        .collect();
    for name in &listed {
        assert!(folder.join(name).exists(), "{name} is not there");
    }
    for page in pages().iter().filter(|page| page.starts_with(&folder)) {
        let name = page.file_name().expect("a name").to_string_lossy();
        assert!(
            name == "SUMMARY.md" || listed.contains(&&*name),
            "{name} is not listed"
        );
    }
}
