//! Prints the Raw IR of C files: `import [--opt N] [--m32] [--checks a,b] [--save DIR] [--quiet] FILE...`

use std::process::ExitCode;

use frontend::{DataModel, OptLevel, Options};

fn main() -> ExitCode {
    let mut options = Options::new(Vec::<String>::new());
    let mut quiet = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().expect("an option has a value");
        match arg.as_str() {
            "--opt" => {
                let level = value().parse().ok().and_then(OptLevel::from_number);
                options.opt = level.expect("--opt is 0, 1 or 2");
            }
            "--m32" => options.data_model = DataModel::Ilp32,
            "--checks" => {
                options.checks = value()
                    .split(',')
                    .flat_map(|name| checks::registry::expand(name).expect("a check"))
                    .map(|check| check.name.to_owned())
                    .collect();
            }
            "--save" => options.save = Some(value().into()),
            "--entry" => options.entry = value(),
            "--no-models" => options.models = false,
            "--malloc-may-fail" => options.malloc_may_fail = true,
            "--quiet" => quiet = true,
            flag if flag.starts_with('-') => options.cflags.push(flag.to_owned()),
            file => options.files.push(file.into()),
        }
    }
    match frontend::load(&options) {
        Ok(module) => {
            if !quiet {
                print!("{module}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.exit_code())
        }
    }
}
