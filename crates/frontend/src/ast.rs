//! What only clang's tree knows of a function: asked for when the bitcode does not tell.
//!
//! A second clang writes the tree of one function as JSON. That costs as much as parsing the file, and
//! is done for functions with a variable whose declaration is dead code (which block is it in?), for
//! sums of vectors (do their lanes have a sign?), for constants (which writes are their initialisers?) and
//! for updates by `__sync_…` (is the object volatile?).
//! Where nothing is found, the callers do with less.

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::clang;
use crate::options::Options;

/// How many typedefs may stand for each other.
const TYPEDEFS: usize = 16;

/// A place in the source, as debug locations have it: line and column.
pub type Place = (u32, u32);

/// A function of the source.
#[derive(Default)]
pub struct Function {
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its operations on vectors.
    pub operations: Vec<Operation>,
    /// Its compound literals.
    pub literals: Vec<Literal>,
    /// Its updates by `__sync_…`.
    pub updates: Vec<Update>,
}

/// A call of a function `__sync_…`, whose code does not tell whether the object is volatile.
pub struct Update {
    /// Where it stands.
    pub place: Place,
    /// Is the object volatile, if that is known?
    pub volatile: Option<bool>,
    /// The type of the object, as the source calls it.
    ty: String,
}

/// A compound literal.
pub struct Literal {
    /// Where it stands.
    pub range: (Place, Place),
    /// Is its type `const`?
    pub constant: bool,
}

/// A local variable.
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where its block begins; none if that is the function's own.
    pub block: Option<Place>,
    /// Where its name stands.
    pub place: Option<Place>,
    /// Where its declaration, with the initialiser, stands, if no macro does.
    pub range: Option<(Place, Place)>,
}

/// An operation on vectors.
pub struct Operation {
    /// `+`, `-` or `*`.
    pub sign: char,
    /// The operator stands from here …
    pub from: Place,
    /// … to here.
    pub to: Place,
    /// Have the lanes a sign, if that is known?
    pub signed: Option<bool>,
    /// The type of the lanes, as the source calls it.
    lane: String,
}

/// Asks clang for the one function of that name that the program defines.
pub fn ask(options: &Options, name: &str) -> Option<Function> {
    let lib = crate::library(options);
    let mut found = Vec::new();
    for file in &options.files {
        let output = clang::tree(file, options, lib.as_deref(), name)?;
        for tree in serde_json::Deserializer::from_slice(&output).into_iter::<Value>() {
            let tree = tree.ok()?;
            if tree["kind"] == "FunctionDecl" && tree["name"] == name {
                found.extend(read(&tree));
            }
        }
    }
    let mut function = found.pop()?;
    if !found.is_empty() {
        return None;
    }
    let mut names: FxHashMap<String, Option<bool>> = FxHashMap::default();
    for operation in &mut function.operations {
        if operation.signed.is_none() && is_name(&operation.lane) {
            let name = operation.lane.clone();
            let known = names.entry(name);
            operation.signed = *known.or_insert_with_key(|name| sign_of_name(options, name));
        }
    }
    for update in &mut function.updates {
        if update.volatile.is_none() && is_name(&update.ty) {
            update.volatile = volatile_by_name(options, &update.ty);
        }
    }
    Some(function)
}

/// Does a text consist of one name?
fn is_name(text: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    !text.is_empty() && text.chars().all(letter)
}

/// Has a type a sign that a typedef gave a name?
fn sign_of_name(options: &Options, name: &str) -> Option<bool> {
    by_name(options, name, sign_of_words)
}

/// Is a type volatile that a typedef gave a name?
fn volatile_by_name(options: &Options, name: &str) -> Option<bool> {
    by_name(options, name, is_volatile)
}

/// What is known of a type that a typedef gave a name. A typedef may stand for another one.
fn by_name(options: &Options, name: &str, known: impl Fn(&str) -> Option<bool>) -> Option<bool> {
    let lib = crate::library(options);
    let mut name = name.to_owned();
    for _ in 0..TYPEDEFS {
        let mut meanings = Vec::new();
        for file in &options.files {
            let output = clang::tree(file, options, lib.as_deref(), &name)?;
            for tree in serde_json::Deserializer::from_slice(&output).into_iter::<Value>() {
                let tree = tree.ok()?;
                if tree["kind"] == "TypedefDecl" && tree["name"] == name.as_str() {
                    meanings.push(type_text(&tree["type"]).to_owned());
                }
            }
        }
        meanings.sort_unstable();
        meanings.dedup();
        let [meaning] = meanings.as_slice() else {
            return None; // No such type, or several.
        };
        match known(meaning) {
            None if is_name(meaning) && *meaning != name => name.clone_from(meaning),
            answer => return answer,
        }
    }
    None
}

/// The last line that was written: what did not change is left out.
#[derive(Default)]
struct Lines {
    actual: u32,
    presumed: u32,
}

impl Lines {
    /// A location, of which only the outermost is what debug locations say.
    fn read(&mut self, location: &Value) -> Option<Place> {
        if location.get("expansionLoc").is_some() {
            self.plain(&location["spellingLoc"]);
            return self.plain(&location["expansionLoc"]);
        }
        self.plain(location)
    }

    fn plain(&mut self, location: &Value) -> Option<Place> {
        let column = location["col"].as_u64()? as u32;
        if let Some(line) = location["line"].as_u64() {
            self.actual = line as u32;
            self.presumed = self.actual;
        }
        if let Some(line) = location["presumedLine"].as_u64() {
            self.presumed = line as u32;
        }
        Some((self.presumed, column))
    }
}

/// A node that is being read.
struct Open<'t> {
    node: &'t Value,
    /// The child that comes next.
    next: usize,
    /// Where its block begins.
    block: Option<Place>,
    /// The operation that it is, and the ranges of its operands so far.
    operation: Option<(char, Vec<(Place, Place)>)>,
    range: Option<(Place, Place)>,
    /// Where its name stands.
    place: Option<Place>,
}

/// A function with a body.
fn read(tree: &Value) -> Option<Function> {
    let mut function = Function::default();
    let mut lines = Lines::default();
    let mut has_body = false;
    let mut stack = vec![open(tree, &mut lines, None)];
    while let Some(top) = stack.last_mut() {
        let child = top.node["inner"].get(top.next);
        top.next += 1;
        if let Some(child) = child {
            let outermost = top.node["kind"] == "FunctionDecl";
            let block = top.block;
            let mut child = open(child, &mut lines, block);
            match child.node["kind"].as_str() {
                Some("CompoundStmt") if outermost => has_body = true,
                Some("CompoundStmt") => child.block = child.range.map(|range| range.0),
                Some("VarDecl") => {
                    let name = child.node["name"].as_str().unwrap_or_default();
                    function.variables.push(Variable {
                        name: name.to_owned(),
                        block,
                        place: child.place,
                        range: child.range.filter(|_| !is_macro(child.node)),
                    });
                }
                Some("CallExpr") => function.updates.extend(update(&child)),
                Some("CompoundLiteralExpr") => {
                    if let Some(range) = child.range.filter(|_| !is_macro(child.node)) {
                        let constant = is_constant(type_text(&child.node["type"]));
                        function.literals.push(Literal { range, constant });
                    }
                }
                _ => {}
            }
            stack.push(child);
            continue;
        }
        let done = stack.pop().expect("it is on top");
        if let (Some((_, operands)), Some(range)) = (
            stack
                .last_mut()
                .and_then(|parent| parent.operation.as_mut()),
            done.range,
        ) {
            operands.push(range);
        }
        if let (Some((sign, operands)), Some(range)) = (done.operation, done.range) {
            let (from, to) = match operands[..] {
                [left, right] => (left.1, right.0),
                _ => (range.0, range.0),
            };
            let lane = lane(&done.node["type"]);
            function.operations.push(Operation {
                sign,
                from,
                to,
                signed: lane.as_deref().and_then(sign_of_words),
                lane: lane.unwrap_or_default(),
            });
        }
    }
    has_body.then_some(function)
}

/// Reads where a node stands, in the order in which clang writes it.
fn open<'t>(node: &'t Value, lines: &mut Lines, block: Option<Place>) -> Open<'t> {
    let place = lines.read(&node["loc"]);
    let begin = lines.read(&node["range"]["begin"]);
    let end = lines.read(&node["range"]["end"]);
    let operator = matches!(
        node["kind"].as_str(),
        Some("BinaryOperator" | "CompoundAssignOperator" | "UnaryOperator")
    );
    let sign = node["opcode"].as_str().and_then(|code| code.chars().next());
    let sign = sign.filter(|sign| operator && "+-*".contains(*sign));
    Open {
        node,
        next: 0,
        block,
        operation: sign
            .filter(|_| is_vector(&node["type"]))
            .map(|sign| (sign, Vec::new())),
        range: begin.zip(end),
        place,
    }
}

/// The call of a function `__sync_…`.
fn update(call: &Open<'_>) -> Option<Update> {
    let [callee, pointer, ..] = call.node["inner"].as_array()?.as_slice() else {
        return None; // Nothing is updated.
    };
    let name = callee["inner"][0]["referencedDecl"]["name"].as_str()?;
    if !name.starts_with("__sync_") {
        return None;
    }
    let pointer = type_text(&pointer["type"]);
    let ty = pointer.rsplit_once('*').map_or("", |(object, _)| object);
    Some(Update {
        place: call.range?.0,
        volatile: is_volatile(ty),
        ty: ty.trim().to_owned(),
    })
}

/// Is a type volatile itself, and not only what it points to? The name of another type does not tell.
fn is_volatile(ty: &str) -> Option<bool> {
    let last = ty.rsplit('*').next().unwrap_or_default();
    let mut words = last.split_whitespace();
    if words.clone().any(|word| word == "volatile") {
        return Some(true);
    }
    let plain = words.next().is_some_and(|word| {
        matches!(
            word,
            "struct" | "union" | "enum" | "_Bool" | "unsigned" | "__int128"
        )
    });
    (plain || ty.contains('*') || sign_of_words(last).is_some()).then_some(false)
}

/// Does it stand where a macro is used? Places of its parts may then lie outside of its own.
fn is_macro(node: &Value) -> bool {
    let range = &node["range"];
    let places = [&node["loc"], &range["begin"], &range["end"]];
    places
        .iter()
        .any(|place| place.get("expansionLoc").is_some())
}

/// Is a type `const` itself, and not only what it points to? The elements count for an array.
fn is_constant(text: &str) -> bool {
    let text = text.split('[').next().unwrap_or_default().trim_end();
    match text.contains('*') {
        true => text.ends_with("const") || text.ends_with("const volatile"),
        false => text.split(' ').any(|word| word == "const"),
    }
}

fn type_text(ty: &Value) -> &str {
    let text = ty.get("desugaredQualType").unwrap_or(&ty["qualType"]);
    text.as_str().unwrap_or_default()
}

fn is_vector(ty: &Value) -> bool {
    let text = type_text(ty);
    text.contains("__vector_size__") || text.contains("ext_vector_type")
}

/// The type of a vector's lanes: `__attribute__((__vector_size__(4 * sizeof(int)))) int`.
fn lane(ty: &Value) -> Option<String> {
    let mut text = type_text(ty).to_owned();
    while let Some(start) = text.find("__attribute__((") {
        let mut depth = 0;
        let end = text[start..].find(|letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ')' && depth == 0
        })?;
        text.replace_range(start..=start + end, "");
    }
    let words = text.split_whitespace();
    let words: Vec<&str> = words
        .filter(|word| !matches!(*word, "const" | "volatile"))
        .collect();
    Some(words.join(" "))
}

/// Has an integer type of C a sign?
fn sign_of_words(ty: &str) -> Option<bool> {
    let words: Vec<&str> = ty.split_whitespace().collect();
    match words.as_slice() {
        ["unsigned", ..] => Some(false),
        ["signed", ..] | ["char" | "short" | "int" | "long" | "__int128"] | ["long", "long"] => {
            Some(true)
        }
        _ => None, // The name of another type, or floats.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lanes_have_the_sign_of_their_type() {
        let of =
            |text: &str| lane(&json!({ "qualType": text })).and_then(|lane| sign_of_words(&lane));
        let vector =
            |lane: &str| format!("__attribute__((__vector_size__(4 * sizeof({lane})))) {lane}");
        assert_eq!(of(&vector("int")), Some(true));
        assert_eq!(of(&vector("unsigned int")), Some(false));
        assert_eq!(of(&vector("my_int")), None);
        assert_eq!(
            of("long long __attribute__((ext_vector_type(4)))"),
            Some(true)
        );
    }

    #[test]
    fn a_pointer_to_a_constant_is_none() {
        let constant = [
            "const int",
            "const struct s",
            "int *const",
            "volatile const int[2]",
        ];
        assert!(constant.into_iter().all(is_constant));
        let not = ["int", "const int *", "const char *[2]", "constant"];
        assert!(!not.into_iter().any(is_constant));
    }

    #[test]
    fn a_pointer_to_a_volatile_object_is_none() {
        let volatile = [
            "volatile int",
            "int *volatile",
            "volatile struct s",
            "unsigned volatile",
        ];
        for ty in volatile {
            assert_eq!(is_volatile(ty), Some(true), "{ty}");
        }
        for ty in [
            "int",
            "volatile int *",
            "unsigned long",
            "struct volatiles",
            "_Bool",
        ] {
            assert_eq!(is_volatile(ty), Some(false), "{ty}");
        }
        for ty in ["uint32_t", "vint", ""] {
            assert_eq!(is_volatile(ty), None, "{ty}");
        }
    }

    #[test]
    fn blocks_of_variables_are_found() {
        let at = |line: u32, col: u32| json!({ "line": line, "col": col });
        let tree = json!({ "kind": "FunctionDecl", "name": "f", "loc": at(1, 5), "inner": [
            { "kind": "CompoundStmt", "range": { "begin": { "col": 9 }, "end": at(9, 1) }, "inner": [
                { "kind": "VarDecl", "name": "x", "loc": at(2, 9) },
                { "kind": "CompoundStmt", "range": { "begin": at(3, 5), "end": at(8, 5) }, "inner": [
                    { "kind": "VarDecl", "name": "y", "loc": at(4, 9) }
                ]}
            ]}
        ]});
        let function = read(&tree).expect("it has a body");
        let found: Vec<(&str, Option<Place>)> = function
            .variables
            .iter()
            .map(|variable| (variable.name.as_str(), variable.block))
            .collect();
        assert_eq!(found, [("x", None), ("y", Some((3, 5)))]);
    }
}
