//! What values, inputs and objects look like in a story.

use base::Bv;
use ir::syntax::{Module, Show, Type};
use results::story::Drawn;
use results::trace::Event;

use crate::memory::chunk::pointee_of;
use crate::memory::{Memory, ObjectKind, Pointer};
use crate::show;
use crate::value::Value;
use crate::view::View;

/// So many objects are drawn.
const MOST_OBJECTS: usize = 40;

/// So many bytes of each.
const MOST_BYTES: u64 = 64;

/// What was stored, and where.
pub(super) struct Stored {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) object: Option<String>,
}

/// A value that is written to an object.
pub(super) fn stored(
    module: &Module,
    memory: &Memory,
    number: u32,
    offset: u64,
    ty: Type,
    value: &Value,
) -> Stored {
    let object = &memory.objects[number as usize];
    let own = object.origin.var.or_else(|| {
        let global = object.origin.global?;
        module.globals[global].var
    });
    let var = own.and_then(|var| module.vars.get(var));
    let label = show::object_name(module, memory, number);
    let label = label.trim_matches('`').to_owned();
    let width = u64::from(ty.bits(module.machine).unwrap_or(0));
    let (name, show_as) = match var {
        Some(var) if offset == 0 && (var.bits == width || object.size * 8 == width) => {
            (label.clone(), Some(var.show))
        }
        Some(var) => {
            let (index, element) = elements(&var.ty, offset, object.size);
            (format!("{label}{index}"), element)
        }
        None => (format!("{label}[{offset}]"), None),
    };
    let value = match value {
        Value::Int(bits) => {
            let shown = match show_as {
                Some(Show::Bytes) | None if width == 8 => Show::Char,
                Some(Show::Bytes | Show::Pointer) | None => Show::Signed,
                Some(shown) => shown,
            };
            show::scalar(shown, bits)
        }
        Value::Pointer(target) => show::pointer(module, memory, *target),
        Value::Float(_, bits) => show::scalar(Show::Float, bits),
        Value::Memory(..) => String::new(),
    };
    let local = object.kind == ObjectKind::Stack && var.is_some();
    Stored {
        name,
        value,
        object: (!local).then_some(label),
    }
}

/// Which element of an array an offset is, and how elements are shown: `[3]` of `int[10]`.
fn elements(ty: &str, offset: u64, size: u64) -> (String, Option<Show>) {
    let plain = || (format!("[byte {offset}]"), None);
    let Some(start) = ty.find('[') else {
        return plain();
    };
    let counts: Option<Vec<u64>> = ty[start..]
        .split(['[', ']'])
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok())
        .collect();
    let Some(counts) = counts.filter(|counts| counts.iter().all(|&count| count > 0)) else {
        return plain();
    };
    let total = counts
        .iter()
        .try_fold(1_u64, |all, &count| all.checked_mul(count));
    let Some(each) = total
        .and_then(|total| size.checked_div(total))
        .filter(|&each| each > 0)
    else {
        return plain();
    };
    let mut text = String::new();
    let mut rest = offset / each;
    let mut below = counts.iter().product::<u64>();
    for count in &counts {
        below /= count;
        text.push_str(&format!("[{}]", rest / below));
        rest %= below;
    }
    if offset % each != 0 {
        text.push_str(&format!(" + {}", offset % each));
    }
    let base = &ty[..start];
    let shown = match base {
        "char" | "signed char" => Some(Show::Char),
        _ if base.starts_with("unsigned") => Some(Show::Unsigned),
        _ => None,
    };
    (text, shown)
}

/// The value of a choice, and its bits.
pub(super) fn choice(event: &Event) -> (String, Option<String>) {
    match event {
        Event::Value(bits) => (number(bits), Some(bits.to_string())),
        Event::Object { bytes, .. } | Event::Bytes(bytes) => (listed(bytes), None),
        Event::Clobber(_) => (String::new(), None),
    }
}

fn number(bits: &Bv) -> String {
    match bits.width() {
        1 => bits.to_dec(),
        8 => show::scalar(Show::Char, bits),
        _ => bits.to_dec_signed(),
    }
}

/// Bytes by offset, as hexadecimal digits and text.
fn listed(bytes: &[(u64, u8)]) -> String {
    let Some(last) = bytes.iter().map(|&(offset, _)| offset).max() else {
        return "zeros".to_owned();
    };
    if last >= MOST_BYTES {
        let shown = bytes.iter().take(16);
        let shown: Vec<String> = shown
            .map(|(offset, byte)| format!("[{offset}] = {byte:#04x}"))
            .collect();
        return shown.join(", ");
    }
    let mut all = vec![0; last as usize + 1];
    for &(offset, byte) in bytes {
        all[offset as usize] = byte;
    }
    match text(&all) {
        Some(text) => format!("{} {text}", hex(&all)),
        None => hex(&all),
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// Bytes as text up to the first zero, if they are text.
fn text(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&byte| byte == 0);
    let letters = &bytes[..end.unwrap_or(bytes.len())];
    let is_text =
        |&byte: &u8| (0x20..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\t' | b'\r');
    (!letters.is_empty() && letters.iter().all(is_text))
        .then(|| format!("{:?}", String::from_utf8_lossy(letters)))
}

/// The objects of a program: variables in memory, globals that may change, and the heap.
pub(super) fn objects(view: &View<'_>) -> Vec<Drawn> {
    let module = view.module();
    let models = module.model_files();
    let is_model = |place: Option<ir::syntax::PlaceId>| {
        let data = place.and_then(|place| module.places.get(place));
        data.is_some_and(|data| models.contains(&*data.place.file))
    };
    let mut drawn = Vec::new();
    for (number, object) in (0..).zip(&view.memory.objects).skip(1) {
        let var = match object.origin.global {
            Some(global) => module.globals[global].var,
            None => object.origin.var,
        };
        let declared = var
            .and_then(|var| module.vars.get(var))
            .and_then(|var| var.place);
        let own = match object.kind {
            ObjectKind::Global => var.is_some() && !object.constant,
            ObjectKind::Stack => var.is_some() && object.alive,
            ObjectKind::Heap => true,
        };
        let place = object.origin.allocated.or(declared);
        if !own || is_model(declared) || view.memory.unknown == Some(number) {
            continue;
        }
        let name = show::object_name(module, view.memory, number);
        let count = object.size.min(MOST_BYTES);
        let peeked: Vec<(u8, u32)> = (0..count)
            .map_while(|offset| view.memory.peek(number, offset))
            .collect();
        let bytes: Vec<u8> = peeked.iter().map(|&(byte, _)| byte).collect();
        let width = (module.machine.pointer_bits / 8) as usize;
        let mut pointers = Vec::new();
        for (offset, window) in peeked.windows(width).enumerate() {
            let words: Vec<u32> = window.iter().map(|&(_, word)| word).collect();
            let object = pointee_of(&words);
            if object != 0 {
                let mut address = [0; 8];
                for (to, (byte, _)) in address.iter_mut().zip(window) {
                    *to = *byte;
                }
                let target = Pointer {
                    address: u64::from_le_bytes(address),
                    object,
                };
                let shown = show::pointer(module, view.memory, target);
                pointers.push((offset as u64, shown));
            }
        }
        drawn.push(Drawn {
            name: name.trim_matches('`').to_owned(),
            kind: match object.kind {
                ObjectKind::Global => "global",
                ObjectKind::Stack => "local",
                ObjectKind::Heap => "heap",
            }
            .to_owned(),
            size: object.size,
            alive: object.alive,
            place: place
                .and_then(|place| module.places.get(place))
                .map(|data| data.place.clone()),
            hex: hex(&bytes),
            text: text(&bytes),
            pointers,
        });
        if drawn.len() == MOST_OBJECTS {
            break;
        }
    }
    drawn
}
