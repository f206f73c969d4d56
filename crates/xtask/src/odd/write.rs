//! Random pieces of C: values, statements, and accidents that happen for some values.

use crate::random::Random;

/// Writes one program.
#[derive(Debug)]
pub struct Writer {
    /// Where choices come from.
    pub random: Random,
    /// Declarations and functions so far.
    pub top: String,
    /// Options that the verifier needs for these to mean what the oracle sees.
    pub options: Vec<&'static str>,
    /// Volatile variables hold what was written last: `--volatile any` says otherwise.
    pub own_volatiles: bool,
    /// One in so many places where an accident can stand has one; none has, if zero.
    accidents: usize,
    names: usize,
}

impl Writer {
    /// A writer for one program.
    pub fn new(mut random: Random) -> Self {
        let accidents = *random.pick(&[0, 2, 3, 6]);
        Writer {
            random,
            top: String::new(),
            options: Vec::new(),
            own_volatiles: false,
            accidents,
            names: 0,
        }
    }

    /// A name that nothing else has.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Adds declarations or a function: a template, see [`fill`].
    pub fn put(&mut self, template: &str, parts: &[(&str, &str)]) {
        self.top.push_str(&fill(template, parts));
        self.top.push('\n');
    }

    /// Yes, once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    /// A number of a range, as text.
    pub fn number(&mut self, from: usize, to: usize) -> String {
        (from + self.random.below(to - from + 1)).to_string()
    }

    /// One of these, as text.
    pub fn any(&mut self, items: &[&str]) -> String {
        (*self.random.pick(items)).to_owned()
    }

    /// A value of type `unsigned`, made of these variables; every operation is defined.
    pub fn value(&mut self, names: &[&str]) -> String {
        self.value_of(names, 2)
    }

    fn value_of(&mut self, names: &[&str], depth: usize) -> String {
        if depth == 0 || self.once_in(4) {
            return if self.once_in(4) {
                format!("{}u", self.random.below(10))
            } else {
                self.any(names)
            };
        }
        // Not recursion over a program: the depth is two.
        let x = self.value_of(names, depth - 1);
        let y = self.value_of(names, depth - 1);
        match self.random.below(12) {
            0 | 1 => format!("({x} + {y})"),
            2 => format!("({x} - {y})"),
            3 => format!("({x} * {y})"),
            4 => format!("({x} ^ {y})"),
            5 => format!("({x} & {y})"),
            6 => format!("({x} | {y})"),
            7 => format!("(unsigned)({x} < {y})"),
            8 => format!("(unsigned)({x} == {y})"),
            9 => format!("({x} ? {y} : {}u)", self.random.below(10)),
            10 => format!("({x} / ({y} | 1u))"),
            _ => format!("({x} >> ({y} & 3u))"),
        }
    }

    /// A condition over these variables.
    pub fn condition(&mut self, names: &[&str]) -> String {
        let x = self.value_of(names, 1);
        let limit = self.random.below(6);
        match self.random.below(5) {
            0 => format!("({x} & 1u)"),
            1 => format!("({x} & 7u) == {limit}u"),
            2 => format!("({x} & 7u) < {limit}u"),
            3 => format!("{x} > {limit}u"),
            _ => format!("{x} != {limit}u"),
        }
    }

    /// A statement that changes `target` (unsigned), and perhaps an accident before it.
    pub fn step(&mut self, target: &str, names: &[&str]) -> String {
        let accident = self.accident(names);
        let value = self.value(names);
        let change = match self.random.below(5) {
            0 => format!("{target} += {value};"),
            1 => format!("{target} ^= {value};"),
            2 => format!("{target} = {target} * 3u + {value};"),
            3 => format!("{target} = ({target} & 0xffffu) + {value};"),
            _ => format!("{target} -= {value};"),
        };
        format!("{accident}{change}")
    }

    /// Mostly nothing; sometimes a statement that violates something for some values of these variables.
    pub fn accident(&mut self, names: &[&str]) -> String {
        if self.accidents == 0 || !self.once_in(self.accidents) {
            return String::new();
        }
        let value = self.value(names);
        self.accident_for(&value)
    }

    /// A statement that violates something for some values.
    pub fn accident_for(&mut self, value: &str) -> String {
        let template = self.any(&[
            "{ int near = 2147483640 + $k; near += (int)($v & 7u); if (near < 0) return 1; } ",
            "{ int low = -2147483647 + $k; low -= (int)($v & 7u); if (low > 0) return 1; } ",
            "{ int big = 1 << 28; big *= (int)($v & 7u) + $k; if (big == 3) return 1; } ",
            "if (100u / (($v & 7u) - $ku) == 1000u) return 1; ",
            "if (100 % ((int)($v & 7u) - $k) == 1000) return 1; ",
            "if ((1u << (25u + $ku + ($v & 7u))) == 3u) return 1; ",
            "{ unsigned cells[$s] = {0}, *at = cells; if (at[$v & 7u] == 9u) return 1; } ",
            "{ static unsigned kept[$s]; unsigned *at = kept; at[$v & 7u] = 0; } ",
            "{ char *room = malloc($s); room[$v & 7u] = 1; free(room); } ",
            "{ char *room = malloc(4); free(room); if (($v & 7u) == $ku) free(room); } ",
            "{ unsigned one = 1, *at = ($v & 7u) == $ku ? 0 : &one; if (*at == 3u) return 1; } ",
            "sk_assert(($v & 7u) != $ku); ",
            "if (($v & 7u) == $ku) reach_error(); ",
            "if (($v & 15u) == $ku) exit(0); ",
            "sk_assume(($v & 15u) != $ku); ",
        ]);
        let (k, s) = (self.number(0, 7), self.number(5, 8));
        fill(&template, &[("v", value), ("k", &k), ("s", &s)])
    }
}

/// A template with its parts: `$name` stands for the part of that name. Names are one letter, or a word that is the
/// beginning of no other.
pub fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let part = parts
            .iter()
            .filter(|(name, _)| rest.starts_with(name))
            .max_by_key(|(name, _)| name.len());
        let (name, value) = part.unwrap_or_else(|| panic!("no part for ${rest}"));
        text.push_str(value);
        rest = &rest[name.len()..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn the_longest_name_is_meant() {
        assert_eq!(fill("$a+$ab $a", &[("a", "1"), ("ab", "2")]), "1+2 1");
    }
}
