//! Bitcode that was compiled before, by content.
//!
//! What clang makes of a file depends on its arguments, on the folder it runs in, on a few variables of the environment, on
//! the files that it reads, and on the files that it looks for and does not find: a header that is put into an earlier folder is
//! another program. So a *list* is kept for each call of clang, of what was read and of what must not be there, and the bitcode
//! is kept under a name made of the call, the list, and the contents of every file on it. All of it is looked at again before
//! bitcode is taken from here. Where a text says that more matters (`__TIME__`, a question for a header whose name is computed),
//! nothing is kept.
//!
//! Files are written under other names and then renamed, so that several runs may meet, and carry a checksum, so that what is
//! damaged is made anew. Each of 16 subfolders has its share of the room: what was not used for longest goes.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::clang::plain;
use crate::error::Error;

/// The format of what is kept: another one is another folder.
const FORMAT: &str = "1";
/// The room of all that is kept, in bytes.
const ROOM: u64 = 512 << 20;
/// The subfolders among which it is divided.
const PARTS: u64 = 16;
/// Files that changed so shortly before clang began may have changed while it ran, in nanoseconds: clocks of files tick slowly.
const TOO_NEW: i128 = 20_000_000;
/// The most names that must not be there.
const MOST_ABSENT: usize = 20_000;

/// Variables of the environment that clang listens to.
const LISTENED: [&str; 10] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "OBJC_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
    "LANG",
];

/// Words in a source that make what clang says depend on more than files.
const FLEETING: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// Words that ask whether a file is there.
const ASKS: [&str; 3] = ["__has_include_next", "__has_include", "__has_embed"];

/// Flags that make clang read files of which its list of dependencies says nothing.
const UNLISTED: [&str; 8] = [
    "-fmodule",
    "-fmodules",
    "-fimplicit-module",
    "-fprebuilt",
    "-include-pch",
    "-ivfsoverlay",
    "-iprefix",
    "-iwithprefix",
];

/// Where bitcode is kept.
pub struct Cache {
    folder: PathBuf,
}

/// A call of clang.
pub struct Call {
    name: String,
    /// When it began, in nanoseconds.
    began: i128,
    /// Is something included by a flag? Its precompiled form would go first.
    includes: bool,
}

/// What a call read.
pub enum Reads<'r> {
    /// One file, and nothing was looked for.
    Only(&'r Path),
    /// Nothing that is not in the call.
    Nothing,
    /// What clang's list of dependencies says (the file that it is in), and what it said about folders.
    Listed(&'r Path, &'r str),
}

/// A file that is there for a moment.
pub struct Scratch {
    /// Where.
    pub path: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// What clang made, and what it said.
pub type Made = (Vec<u8>, String);

impl Cache {
    /// The cache in a folder, which is made if need be.
    pub fn open(folder: &Path) -> Result<Cache, Error> {
        let folder = folder.join(FORMAT);
        make(&folder)
            .map_err(|error| Error::usage(format!("{}: {}", folder.display(), plain(&error))))?;
        Ok(Cache { folder })
    }

    /// A call that may be answered from here, and the input itself if it has no name that lasts.
    pub fn call(&self, command: &Command, content: &[u8]) -> Option<Call> {
        let mut digest = Sha256::new();
        let mut word = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        let program = command.get_program();
        word(program.as_bytes());
        for file in identity(Path::new(program)) {
            let about = fs::metadata(file).ok()?;
            word(&about.len().to_le_bytes());
            word(&changed(&about).to_le_bytes());
        }
        word(std::env::current_dir().ok()?.as_os_str().as_bytes());
        for name in LISTENED {
            word(std::env::var_os(name).unwrap_or_default().as_bytes());
        }
        let mut includes = false;
        for arg in command.get_args() {
            includes |= starts(arg, "-include");
            let text = arg.to_string_lossy();
            let asks = FLEETING.iter().chain(&ASKS).any(|word| text.contains(word));
            if asks || UNLISTED.iter().any(|flag| starts(arg, flag)) {
                return None;
            }
            word(arg.as_bytes());
        }
        word(content);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Some(Call {
            name: hex(&digest.finalize()),
            began: now.ok()?.as_nanos() as i128,
            includes,
        })
    }

    /// A name that no other file has.
    pub fn scratch(&self) -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("new-{}-{number}", std::process::id());
        Scratch {
            path: self.folder.join(name),
        }
    }

    /// What was made of the same before.
    pub fn find(&self, call: &Call) -> Option<Made> {
        let list = self.read_checked(&self.place(&call.name, "list"))?;
        let list = String::from_utf8(list).ok()?;
        let name = result_name(call, &list)?;
        let place = self.place(&name, "made");
        let made = self.read_checked(&place)?;
        let (length, rest) = made.split_at_checked(8)?;
        let length = u64::from_le_bytes(length.try_into().ok()?) as usize;
        let (said, bitcode) = rest.split_at_checked(length)?;
        let said = String::from_utf8(said.to_vec()).ok()?;
        // Used now: that it cannot be told does not matter.
        if let Ok(file) = fs::File::options().append(true).open(&place) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some((bitcode.to_vec(), said))
    }

    /// Keeps what was made, if it is known what it rests on. That nothing can be written is no error.
    pub fn keep(&self, call: &Call, reads: &Reads<'_>, made: &Made) {
        let _ = self.try_keep(call, reads, made);
    }

    fn try_keep(&self, call: &Call, reads: &Reads<'_>, (bitcode, said): &Made) -> Option<()> {
        let list = match reads {
            Reads::Nothing => String::new(),
            Reads::Only(file) => format!("read {}\n", line(file)?),
            Reads::Listed(file, folders) => list(call, &fs::read_to_string(file).ok()?, folders)?,
        };
        // First the contents, then whether they are what clang read.
        let name = result_name(call, &list)?;
        for read in list.lines().filter_map(|line| line.strip_prefix("read ")) {
            call.was_there(Path::new(read))?;
        }
        let mut made = (said.len() as u64).to_le_bytes().to_vec();
        made.extend(said.as_bytes());
        made.extend(bitcode);
        self.write_checked(&name, "made", &made)?;
        self.write_checked(&call.name, "list", list.as_bytes())
    }

    fn place(&self, name: &str, kind: &str) -> PathBuf {
        self.folder.join(&name[..1]).join(format!("{name}.{kind}"))
    }

    fn read_checked(&self, place: &Path) -> Option<Vec<u8>> {
        let bytes = fs::read(place).ok()?;
        let (sum, content) = bytes.split_at_checked(32)?;
        (sum == Sha256::digest(content).as_slice()).then(|| content.to_vec())
    }

    fn write_checked(&self, name: &str, kind: &str, content: &[u8]) -> Option<()> {
        let scratch = self.scratch();
        let place = self.place(name, kind);
        let part = place.parent()?;
        let write = || {
            make(part)?;
            let mut file = fs::File::create(&scratch.path)?;
            file.write_all(&Sha256::digest(content))?;
            file.write_all(content)?;
            fs::rename(&scratch.path, &place)?;
            make_room(part, ROOM / PARTS)
        };
        write().ok()
    }
}

impl Call {
    /// A file was there when clang began, as it is now.
    fn was_there(&self, file: &Path) -> Option<()> {
        let about = fs::metadata(file).ok()?;
        (about.is_file() && changed(&about) + TOO_NEW <= self.began).then_some(())
    }
}

/// The folder in the user's own cache, if the user has one.
pub fn usual() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let own = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let own = own.or_else(|| Some(set("HOME")?.join(".cache")));
    Some(own?.join("selkie"))
}

/// Makes a folder that nobody else looks into.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut maker = fs::DirBuilder::new();
    maker.recursive(true).mode(0o700).create(folder)
}

/// The files by which a compiler is known.
fn identity(program: &Path) -> Vec<PathBuf> {
    let found = match program.components().count() {
        1 => std::env::var_os("PATH").and_then(|path| {
            let mut folders = std::env::split_paths(&path);
            folders.find_map(|folder| Some(folder.join(program)).filter(|file| file.exists()))
        }),
        _ => Some(program.to_owned()),
    };
    let mut files = vec![found.unwrap_or_else(|| program.to_owned())];
    // The libraries that it is made of, and the settings that lie beside it, come and go with its folders.
    if let Some(bin) = fs::canonicalize(&files[0])
        .ok()
        .as_deref()
        .and_then(Path::parent)
    {
        files.push(bin.to_owned());
        files.extend(Some(bin.join("../lib")).filter(|lib| lib.exists()));
    }
    files
}

/// When a file was changed last, or put where it is, in nanoseconds.
fn changed(about: &fs::Metadata) -> i128 {
    let time = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let (written, moved) = (
        time(about.mtime(), about.mtime_nsec()),
        time(about.ctime(), about.ctime_nsec()),
    );
    written.max(moved)
}

fn starts(arg: &OsStr, flag: &str) -> bool {
    arg.as_bytes().starts_with(flag.as_bytes())
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A path as a line of a list; none if it cannot be one.
fn line(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| !text.contains('\n'))
}

/// A path as a part of a line.
fn named(path: &Path) -> Option<&str> {
    line(path).filter(|text| !text.contains('\t'))
}

/// The name of what a call makes of the files on a list, as they are now; none if one is missing, or there that must not be.
fn result_name(call: &Call, list: &str) -> Option<String> {
    let mut digest = Sha256::new();
    digest.update(&call.name);
    for line in list.lines() {
        digest.update(line);
        digest.update("\n");
        if let Some(read) = line.strip_prefix("read ") {
            let mut content = Vec::new();
            fs::File::open(read).ok()?.read_to_end(&mut content).ok()?;
            digest.update(Sha256::digest(&content));
        } else if let Some(same) = line.strip_prefix("real ") {
            let (path, real) = same.split_once('\t')?;
            if fs::canonicalize(path).ok()? != Path::new(real) {
                return None;
            }
        } else if Path::new(line.strip_prefix("no ")?).exists() {
            return None;
        }
    }
    Some(hex(&digest.finalize()))
}

/// The list of a call: what clang read, and what must not be there lest it read something else.
fn list(call: &Call, dependencies: &str, folders: &str) -> Option<String> {
    use std::fmt::Write as _;
    let read = dependencies_of(dependencies)?;
    let mut folders = folders_of(folders)?;
    folders.insert(PathBuf::new());
    folders.extend(
        read.iter()
            .filter_map(|file| Some(file.parent()?.to_owned())),
    );
    // What was included, by every name that it may have been given.
    let mut names: BTreeSet<OsString> = BTreeSet::new();
    for file in &read {
        for folder in &folders {
            if let Ok(rest) = file.strip_prefix(folder) {
                names.insert(rest.as_os_str().to_owned());
            }
        }
        for form in [".gch", ".pch"].iter().filter(|_| call.includes) {
            let mut name = file.as_os_str().to_owned();
            name.push(form);
            names.insert(name);
        }
        names.extend(asked_for(file)?);
    }
    if names.len() * folders.len() > MOST_ABSENT {
        return None;
    }
    let mut list = String::new();
    for file in &read {
        writeln!(list, "read {}", line(file)?).ok()?;
        // By another name of the same file, `#pragma once` is about both.
        (fs::metadata(file).ok()?.nlink() == 1).then_some(())?;
    }
    // Two names of one file or folder are one to clang: what they lead to must stay the same.
    for path in read.iter().chain(&folders).filter(|path| path.exists()) {
        let real = fs::canonicalize(path).ok()?;
        writeln!(list, "real {}\t{}", named(path)?, named(&real)?).ok()?;
    }
    let mut absent: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in &folders {
        // Nothing is in a folder that is not there.
        let there = folder.as_os_str().is_empty() || folder.exists();
        match there {
            false => _ = absent.insert(folder.clone()),
            true => absent.extend(names.iter().map(|name| folder.join(name))),
        }
    }
    for path in absent {
        // What is there and was not read came in a later folder, if it did not come later itself.
        match path.exists() {
            true => call.was_there(&path)?,
            false => writeln!(list, "no {}", line(&path)?).ok()?,
        }
    }
    Some(list)
}

/// The files of a rule for `make`, without its target.
fn dependencies_of(rule: &str) -> Option<Vec<PathBuf>> {
    let (_, files) = rule.split_once(": ")?;
    let mut list = Vec::new();
    let mut name = String::new();
    let mut letters = files.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('\n')) => _ = letters.next(),
            ('\\', Some(' ' | '#')) => name.extend(letters.next()),
            ('$', Some('$')) => name.extend(letters.next()),
            ('\\' | '$', _) => return None,
            (letter, _) if letter.is_ascii_whitespace() => {
                if !name.is_empty() {
                    list.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            (letter, _) => name.push(letter),
        }
    }
    (!list.is_empty()).then_some(list)
}

/// The folders in which clang looked for headers, as it tells them (`-v`).
fn folders_of(said: &str) -> Option<BTreeSet<PathBuf>> {
    let mut list = BTreeSet::new();
    for text in said.lines() {
        if let Some(folder) = text.strip_prefix(' ') {
            // `-F` on other systems: `DIR (framework directory)`.
            if Path::new(folder).is_dir() {
                list.insert(PathBuf::from(folder));
            }
        } else if let Some(rest) = text
            .strip_prefix("ignoring nonexistent directory \"")
            .or_else(|| text.strip_prefix("ignoring duplicate directory \""))
        {
            list.insert(PathBuf::from(rest.strip_suffix('"')?));
        }
    }
    Some(list)
}

/// The names of headers that a file asks for without including them; none if that, or anything else in it, is not known here.
fn asked_for(file: &Path) -> Option<Vec<OsString>> {
    let text = fs::read(file).ok()?;
    // Lines that go on in the next one are one line.
    let text = String::from_utf8_lossy(&text)
        .replace("\\\r\n", "")
        .replace("\\\n", "");
    if FLEETING.iter().any(|word| text.contains(word)) {
        return None;
    }
    let mut names = Vec::new();
    for word in ASKS {
        for (at, _) in text.match_indices(word) {
            let rest = &text[at + word.len()..];
            if rest.starts_with(|next: char| next == '_' || next.is_alphanumeric()) {
                continue; // The longer word.
            }
            // `#ifdef __has_include`, `defined(__has_include)`: is there such a word at all?
            let before = text[..at].trim_end().trim_end_matches('(').trim_end();
            if ["ifdef", "ifndef", "defined"]
                .iter()
                .any(|word| before.ends_with(word))
            {
                continue;
            }
            // Any other use, by another name too, may ask for anything.
            let rest = rest.trim_start().strip_prefix('(')?.trim_start();
            let end = match rest.chars().next()? {
                '<' => rest.find('>')?,
                '"' => 1 + rest[1..].find('"')?,
                _ => return None,
            };
            names.push(OsString::from(&rest[1..end]));
        }
    }
    Some(names)
}

/// Removes what was not used for longest until what is in a folder fits.
fn make_room(folder: &Path, room: u64) -> std::io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Another run may have removed it.
        if let Ok(about) = entry.metadata() {
            let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((used, about.len(), entry.path()));
        }
    }
    let mut all: u64 = files.iter().map(|file| file.1).sum();
    files.sort();
    for (_, length, path) in files {
        if all <= room {
            break;
        }
        all -= length;
        let _ = fs::remove_file(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{dependencies_of, make_room};
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    #[test]
    fn names_in_rules_are_read() {
        let read = |rule: &str| dependencies_of(rule);
        let names = |list: &[&str]| Some(list.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(read("f.o: a.c \\\n  b.h\n"), names(&["a.c", "b.h"]));
        assert_eq!(
            read("f.o: a\\ b.c $$x.h \\#.h\n"),
            names(&["a b.c", "$x.h", "#.h"])
        );
        assert_eq!(read("f.o: a\\b.c\n"), None);
        assert_eq!(read("f.o: \n"), None);
    }

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let now = SystemTime::now();
        for (name, age) in [("old", 300), ("new", 0), ("middle", 200)] {
            let path = folder.path().join(name);
            std::fs::write(&path, [0; 100]).expect("it is written");
            let file = std::fs::File::options()
                .append(true)
                .open(path)
                .expect("it is there");
            file.set_modified(now - Duration::from_secs(age))
                .expect("it is set");
        }
        let left = || {
            let files = std::fs::read_dir(folder.path()).expect("a folder");
            let names = files.map(|file| file.expect("a file").file_name());
            let mut names: Vec<_> = names
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        make_room(folder.path(), 300).expect("it is looked at");
        assert_eq!(left(), ["middle", "new", "old"]);
        make_room(folder.path(), 200).expect("it is looked at");
        assert_eq!(left(), ["middle", "new"]);
        make_room(folder.path(), 10).expect("it is looked at");
        assert_eq!(left(), [] as [&str; 0]);
    }
}
