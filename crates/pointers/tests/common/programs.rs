//! Random C programs about pointers: lists, trees, unions, tables of function pointers, byte-wise
//! copies, pointers through integers, `realloc`, variable arguments.
//!
//! A program has a few struct types, a pool of pointers for each, and functions that pass pointers
//! around, through memory and integers, in every way that C has. Pointers are null or valid, every
//! dereference is guarded, loops are short: executions end, and the sum at the end depends on
//! which object every pointer led to.

use std::fmt::Write as _;

use golden::rng::Rng;

/// A field of a struct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Int,
    Char,
    Long,
    Array,
    Pointer(usize),
    Pointers(usize),
    Either(usize),
    Code,
}

struct Program {
    rng: Rng,
    structs: Vec<Vec<Field>>,
    /// For each function the types of its parameters and of its result.
    funcs: Vec<(Vec<usize>, usize)>,
    text: String,
    depth: usize,
}

/// A program, from a seed.
pub fn program(seed: u64) -> String {
    let mut program = Program {
        rng: Rng::new(seed),
        structs: Vec::new(),
        funcs: Vec::new(),
        text: String::new(),
        depth: 0,
    };
    program.write();
    program.text
}

macro_rules! line {
    ($self:ident, $($arg:tt)*) => {{
        let line = format!($($arg)*);
        let indent = "  ".repeat($self.depth);
        let _ = writeln!($self.text, "{indent}{line}");
    }};
}

impl Program {
    fn write(&mut self) {
        self.text.push_str(
            "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n",
        );
        let count = 2 + self.rng.index(2);
        for index in 0..count {
            line!(self, "struct s{index};");
        }
        line!(self, "typedef long (*code)(struct s0 *, long);");
        for index in 0..count {
            self.add_struct(index, count);
        }
        line!(self, "static unsigned long sum;");
        line!(self, "static long word_of_memory;");
        for index in 0..count {
            line!(self, "static struct s{index} *pool{index}[4];");
            line!(self, "static struct s{index} fixed{index}[3];");
        }
        self.add_code();
        self.add_helpers();
        let funcs = 3 + self.rng.index(4);
        for index in 0..funcs {
            self.add_func(index);
        }
        self.add_main();
    }

    fn add_struct(&mut self, index: usize, count: usize) {
        let mut fields = vec![Field::Int, Field::Pointer(index)];
        for _ in 0..2 + self.rng.index(4) {
            let to = self.rng.index(count);
            fields.push(match self.rng.below(10) {
                0 => Field::Int,
                1 => Field::Char,
                2 => Field::Long,
                3 => Field::Array,
                4 | 5 => Field::Pointer(to),
                6 => Field::Pointers(to),
                7 => Field::Either(to),
                8 => Field::Code,
                _ => Field::Pointer(index),
            });
        }
        // Not always at the front: pointers into the middle are what `container_of` is about.
        let swap = self.rng.index(fields.len());
        fields.swap(0, swap);
        line!(self, "struct s{index} {{");
        for (number, field) in fields.iter().enumerate() {
            match field {
                Field::Int => line!(self, "  int f{number};"),
                Field::Char => line!(self, "  char f{number};"),
                Field::Long => line!(self, "  long f{number};"),
                Field::Array => line!(self, "  int f{number}[3];"),
                Field::Pointer(to) => line!(self, "  struct s{to} *f{number};"),
                Field::Pointers(to) => line!(self, "  struct s{to} *f{number}[2];"),
                Field::Either(to) => {
                    line!(
                        self,
                        "  union {{ struct s{to} *p; uintptr_t n; }} f{number};"
                    );
                }
                Field::Code => line!(self, "  code f{number};"),
            }
        }
        line!(self, "}};");
        self.structs.push(fields);
    }

    /// Functions that are called through pointers.
    fn add_code(&mut self) {
        let field = self.int_field(0);
        for index in 0..3 {
            line!(
                self,
                "static long code{index}(struct s0 *p, long n) {{ if (p) {{ p->{field} = (int)((unsigned)p->{field} * {}u + (unsigned)n); return p->{field}; }} return {index}; }}",
                index + 3
            );
        }
        line!(
            self,
            "static code codes[4] = {{ code0, code1, {}, 0 }};",
            ["code2", "code0"][self.rng.index(2)]
        );
    }

    fn add_helpers(&mut self) {
        for index in 0..self.structs.len() {
            let field = self.int_field(index);
            line!(
                self,
                "static void see{index}(struct s{index} *p) {{ if (p) sum = sum * 31 + (unsigned)p->{field}; else sum = sum * 31 + 7; }}"
            );
            line!(
                self,
                "static struct s{index} *new{index}(int v) {{ struct s{index} *p = calloc(1, sizeof *p); p->{field} = v; return p; }}"
            );
            line!(
                self,
                "static struct s{index} *pick{index}(int n, ...) {{ va_list l; va_start(l, n); struct s{index} *p = 0; for (int i = 0; i < n; i++) p = va_arg(l, struct s{index} *); va_end(l); return p; }}"
            );
            line!(
                self,
                "static void swap{index}(struct s{index} **a, struct s{index} **b) {{ struct s{index} *t = *a; *a = *b; *b = t; }}"
            );
            line!(
                self,
                "static struct s{index} *walk{index}(struct s{index} *p, int n) {{ if (!p || n <= 0) return p; return walk{index}(p->{}, n - 1); }}",
                self.self_field(index)
            );
        }
        line!(
            self,
            "static void bytes(void *to, const void *from, size_t n) {{ unsigned char *d = to; const unsigned char *s = from; for (size_t i = 0; i < n; i++) d[i] = s[i]; }}"
        );
        line!(self, "static void *same(void *p) {{ return p; }}");
        line!(
            self,
            "static void halves(void *to, const void *from) {{ uint32_t w[2]; memcpy(w, from, 8); ((uint32_t *)to)[0] = w[0]; ((uint32_t *)to)[1] = w[1]; }}"
        );
    }

    fn int_field(&self, index: usize) -> String {
        let fields = &self.structs[index];
        let at = fields.iter().position(|field| *field == Field::Int);
        format!("f{}", at.expect("every struct has an int"))
    }

    fn self_field(&self, index: usize) -> String {
        let fields = &self.structs[index];
        let at = fields
            .iter()
            .position(|field| *field == Field::Pointer(index));
        format!("f{}", at.expect("every struct points to itself"))
    }

    fn add_func(&mut self, index: usize) {
        let count = self.structs.len();
        let params: Vec<usize> = (0..1 + self.rng.index(3))
            .map(|_| self.rng.index(count))
            .collect();
        let result = self.rng.index(count);
        let list: Vec<String> = params
            .iter()
            .enumerate()
            .map(|(number, ty)| format!("struct s{ty} *a{number}"))
            .collect();
        line!(
            self,
            "static struct s{result} *func{index}({}) {{",
            list.join(", ")
        );
        self.depth += 1;
        let locals = self.locals(&params);
        for _ in 0..4 + self.rng.index(8) {
            self.statement(&locals);
        }
        let back = self.pick(&locals, result);
        line!(self, "return {back};");
        self.depth -= 1;
        line!(self, "}}");
        self.funcs.push((params, result));
    }

    fn add_main(&mut self) {
        line!(self, "int main(void) {{");
        self.depth += 1;
        let locals = self.locals(&[]);
        for _ in 0..10 + self.rng.index(10) {
            self.statement(&locals);
        }
        for index in 0..self.structs.len() {
            line!(
                self,
                "for (int i = 0; i < 4; i++) see{index}(pool{index}[i]);"
            );
            line!(
                self,
                "for (int i = 0; i < 3; i++) see{index}(&fixed{index}[i]);"
            );
        }
        line!(self, "return (int)(sum % 128);");
        self.depth -= 1;
        line!(self, "}}");
    }

    /// Declares two pointers of each type, and some objects of its own.
    fn locals(&mut self, params: &[usize]) -> Vec<(String, usize)> {
        let mut locals: Vec<(String, usize)> = params
            .iter()
            .enumerate()
            .map(|(number, &ty)| (format!("a{number}"), ty))
            .collect();
        for ty in 0..self.structs.len() {
            let own = self.rng.one_in(2);
            if own {
                line!(
                    self,
                    "struct s{ty} own{ty}; memset(&own{ty}, 0, sizeof own{ty});"
                );
            }
            for copy in 0..2 {
                let start = match (own, self.rng.below(4)) {
                    (true, 0 | 1) => format!("&own{ty}"),
                    (_, 2) => format!("&fixed{ty}[{}]", self.rng.index(3)),
                    _ => format!("new{ty}({})", self.rng.below(100)),
                };
                line!(self, "struct s{ty} *p{ty}_{copy} = {start};");
                locals.push((format!("p{ty}_{copy}"), ty));
            }
        }
        locals
    }

    fn pick(&mut self, locals: &[(String, usize)], ty: usize) -> String {
        let fitting: Vec<&String> = locals
            .iter()
            .filter(|(_, of)| *of == ty)
            .map(|(name, _)| name)
            .collect();
        (*self.rng.pick(&fitting)).clone()
    }

    /// Something about pointers. What is stored in the pools or in other objects outlives every function, so that
    /// nothing dangles.
    fn statement(&mut self, locals: &[(String, usize)]) {
        let ty = self.rng.index(self.structs.len());
        let p = self.pick(locals, ty);
        let q = self.pick(locals, ty);
        match self.rng.below(22) {
            0 => line!(self, "{p} = new{ty}({});", self.rng.below(1000)),
            1 => line!(self, "{p} = &fixed{ty}[{}];", self.rng.index(3)),
            2 => line!(self, "{p} = pool{ty}[{}];", self.rng.index(4)),
            3 => {
                let from = self.lasting(ty);
                line!(self, "pool{ty}[{}] = {from};", self.rng.index(4));
            }
            4..=8 => self.field_statement(locals, ty, &p),
            9 => line!(self, "{p} = (struct s{ty} *)(uintptr_t){q};"),
            10 => line!(
                self,
                "{p} = (struct s{ty} *)(((uintptr_t){q} ^ 0x5aU) ^ 0x5aU);"
            ),
            11 => line!(
                self,
                "{{ struct s{ty} *t; bytes(&t, &{q}, sizeof t); {p} = t; }}"
            ),
            12 => line!(
                self,
                "{{ unsigned char b[sizeof {p}]; memcpy(b, &{q}, sizeof b); memcpy(&{p}, b, sizeof b); }}"
            ),
            13 => line!(self, "if ({p} && {q} && {p} != {q}) *{p} = *{q};"),
            14 => line!(
                self,
                "if ({p} && {q} && {p} != {q}) memcpy({p}, {q}, sizeof *{p});"
            ),
            15 => line!(self, "{p} = pick{ty}(2, {q}, {});", self.pick(locals, ty)),
            16 => line!(self, "swap{ty}(&{p}, &{q});"),
            17 => line!(self, "{p} = walk{ty}({q}, {});", self.rng.index(4)),
            18 => self.call(locals, ty, &p),
            19 => {
                let field = self.int_field(ty);
                line!(
                    self,
                    "if ({q}) {{ int *i = &{q}->{field}; *i += 3; {p} = (struct s{ty} *)((char *)i - offsetof(struct s{ty}, {field})); }}"
                );
            }
            20 => self.grow(ty, &p),
            _ => match self.rng.below(4) {
                0 => line!(self, "{p} = same({q});"),
                1 => line!(self, "{{ struct s{ty} *t; halves(&t, &{q}); {p} = t; }}"),
                2 => line!(
                    self,
                    "{{ uintptr_t n = (uintptr_t){q}; uintptr_t m = n | 1; if (n) {p} = (struct s{ty} *)(m - 1); }}"
                ),
                _ => line!(
                    self,
                    "word_of_memory = (long){q}; {p} = (struct s{ty} *)word_of_memory; word_of_memory = 0;"
                ),
            },
        }
        line!(self, "see{ty}({p});");
    }

    /// A pointer to something that outlives every function.
    fn lasting(&mut self, ty: usize) -> String {
        match self.rng.below(3) {
            0 => format!("&fixed{ty}[{}]", self.rng.index(3)),
            1 => format!("pool{ty}[{}]", self.rng.index(4)),
            _ => format!("new{ty}({})", self.rng.below(50)),
        }
    }

    fn field_statement(&mut self, locals: &[(String, usize)], ty: usize, p: &str) {
        let number = self.rng.index(self.structs[ty].len());
        let name = format!("f{number}");
        match self.structs[ty][number] {
            Field::Int | Field::Char | Field::Long => {
                line!(self, "if ({p}) {p}->{name} = {};", self.rng.below(100));
            }
            Field::Array => {
                line!(
                    self,
                    "if ({p}) for (int i = 0; i < 3; i++) {p}->{name}[i] += i;"
                );
            }
            Field::Pointer(to) => self.link(locals, p, &name, to),
            Field::Pointers(to) => {
                let name = format!("{name}[{}]", self.rng.index(2));
                self.link(locals, p, &name, to);
            }
            Field::Either(to) => match self.rng.below(3) {
                0 => self.link(locals, p, &format!("{name}.p"), to),
                1 => {
                    let from = self.lasting(to);
                    line!(self, "if ({p}) {p}->{name}.n = (uintptr_t){from};");
                }
                _ => {
                    let into = self.pick(locals, to);
                    line!(self, "if ({p}) {into} = (struct s{to} *){p}->{name}.n;");
                }
            },
            Field::Code => match self.rng.below(2) {
                0 => line!(self, "if ({p}) {p}->{name} = codes[{}];", self.rng.index(4)),
                _ => {
                    let arg = self.pick(locals, 0);
                    line!(
                        self,
                        "if ({p} && {p}->{name}) sum += (unsigned long){p}->{name}({arg}, {});",
                        self.rng.below(9)
                    );
                }
            },
        }
    }

    fn link(&mut self, locals: &[(String, usize)], p: &str, name: &str, to: usize) {
        match self.rng.below(2) {
            0 => {
                let from = self.lasting(to);
                line!(self, "if ({p}) {p}->{name} = {from};");
            }
            _ => {
                let into = self.pick(locals, to);
                line!(self, "if ({p}) {into} = {p}->{name};");
            }
        }
    }

    fn call(&mut self, locals: &[(String, usize)], ty: usize, p: &str) {
        let fitting: Vec<usize> = (0..self.funcs.len())
            .filter(|&index| self.funcs[index].1 == ty)
            .collect();
        if fitting.is_empty() {
            let arg = self.pick(locals, 0);
            line!(
                self,
                "sum += (unsigned long)codes[{}]({arg}, {});",
                self.rng.index(3),
                self.rng.below(9)
            );
            return;
        }
        let func = *self.rng.pick(&fitting);
        let params = self.funcs[func].0.clone();
        let args: Vec<String> = params.iter().map(|&of| self.pick(locals, of)).collect();
        // What it returns may be a local object of its own.
        line!(self, "(void)func{func}({});", args.join(", "));
        line!(self, "{p} = pool{ty}[{}];", self.rng.index(4));
    }

    fn grow(&mut self, ty: usize, p: &str) {
        let field = self.int_field(ty);
        line!(self, "{{");
        self.depth += 1;
        line!(self, "struct s{ty} *v = calloc(2, sizeof *v);");
        line!(
            self,
            "v[1].{field} = 5; v[1].{} = {p};",
            self.self_field(ty)
        );
        line!(self, "v = realloc(v, 5 * sizeof *v);");
        line!(self, "memset(v + 2, 0, 3 * sizeof *v);");
        line!(self, "for (int i = 0; i < 5; i++) v[i].{field} += i;");
        line!(
            self,
            "see{ty}(v + 4); see{ty}(v[1].{});",
            self.self_field(ty)
        );
        if self.rng.one_in(2) {
            line!(self, "free(v);");
        } else {
            line!(self, "{p} = v + {};", self.rng.index(5));
        }
        self.depth -= 1;
        line!(self, "}}");
    }
}
