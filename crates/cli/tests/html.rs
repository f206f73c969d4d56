//! The page for a browser: it needs nothing else, and says what the report says.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "#include <stdlib.h>
extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int v) {
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = head;
    return n;
}
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++)
        list = push(list, sk_nondet_int());
    const char *tag = \"</script><b>&\";
    sk_assert(list->next->value != 77 || tag[0] != '<');
    return list->value;
}
";

fn page(name: &str, options: &[&str]) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("html-{name}.c");
    std::fs::write(folder.join(&file), PROGRAM).expect("the program is written");
    let out = folder.join(format!("html-{name}.html"));
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--check", "assert,deref", "--html"])
        .arg(&out)
        .args(options)
        .arg(&file)
        .current_dir(folder)
        .output()
        .expect("selkie runs");
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let text = std::fs::read_to_string(&out).expect("the page is there");
    (out, text)
}

/// The tags of a page are closed in order.
fn is_balanced(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').ok_or("a tag is not closed")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) if open.last() == Some(&name) => {
                open.pop();
            }
            Some(name) => return Err(format!("</{name}> where {open:?} is open")),
            None if matches!(name, "!DOCTYPE" | "meta" | "input") => {}
            None if matches!(name, "script" | "style") => {
                let close = format!("</{name}>");
                let end = rest.find(&close).ok_or("a script is not closed")?;
                rest = &rest[end + close.len()..];
            }
            None => open.push(name),
        }
    }
    match open.is_empty() {
        true => Ok(()),
        false => Err(format!("{open:?} is open")),
    }
}

#[test]
fn the_page_is_whole() {
    let (_, text) = page("whole", &[]);
    is_balanced(&text).expect("tags are closed");
    assert!(is_balanced("<p><b></p></b>").is_err());
    // It needs nothing else.
    for word in ["src=", "href=\"http", "url(http", "@import", "<link"] {
        assert!(!text.contains(word), "{word}");
    }
    for part in [
        "<p class=\"verdict bad\">false(assert)</p>",
        "main.assert.1",
        "77",
        "<td class=\"number\">16</td>",
        "&lt;/script&gt;&lt;b&gt;&amp;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let (_, data) = text.split_once("id=\"stories\">").expect("the stories");
    let (data, _) = data.split_once("</script>").expect("their end");
    let stories: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let steps = stories[0]["story"]["steps"].as_array().expect("steps");
    assert!(
        steps.iter().any(|step| step["what"] == "allocate"),
        "{steps:?}"
    );
}

/// A browser goes through it: needs chromium, which nothing else does.
#[test]
#[ignore = "long: starts a browser, if there is one"]
fn a_browser_shows_it() {
    let (file, _) = page("browser", &[]);
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let browser = names
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok());
    let Some(browser) = browser else {
        eprintln!("no browser: nothing was looked at");
        return;
    };
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ])
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    // What the script has made: steps, frames, objects and arrows.
    for part in [
        "class=\"frame\"",
        "class=\"object",
        "<path d=\"M",
        "<li",
        "list = &amp;",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}
