//! Prints the Raw IR of C files, or executes it:
//! `import [--opt N] [--m32] [--checks a,b] [--save DIR] [--quiet] [--times] [--run] FILE...`

use std::process::ExitCode;

use frontend::{DataModel, OptLevel, Options};

fn main() -> ExitCode {
    let mut options = Options::new(Vec::<String>::new());
    let mut quiet = false;
    let mut execute = false;
    let mut times = false;
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
                    .collect();
            }
            "--save" => options.save = Some(value().into()),
            "--entry" => options.entry = value(),
            "--no-models" => options.models = false,
            "--malloc-may-fail" => options.malloc_may_fail = true,
            "--times" => times = true,
            "--quiet" => quiet = true,
            "--run" => {
                execute = true;
                options.stdio = frontend::Stdio::Host;
            }
            flag if flag.starts_with('-') => options.cflags.push(flag.to_owned()),
            file => options.files.push(file.into()),
        }
    }
    let observe = &mut |stage: &str, time: std::time::Duration| {
        if times {
            eprintln!("{stage} {:.1} ms", time.as_secs_f64() * 1000.0);
        }
    };
    let loaded = frontend::load_observed(&options, observe);
    if times {
        // Linux counts the nanoseconds that this process (without clang) was running.
        let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
        let nanoseconds: f64 = nanoseconds.unwrap_or(0.0);
        eprintln!("processor {:.1} ms", nanoseconds / 1e6);
    }
    match loaded {
        Ok(module) => {
            if let Err(complaints) = ir::wellformed::check(&module) {
                eprintln!("not wellformed: {}", ir::wellformed::explain(&complaints));
                return ExitCode::from(6);
            }
            if execute {
                return run(&module);
            }
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

/// Executes the module with zeros for everything that it leaves open.
fn run(module: &ir::syntax::Module) -> ExitCode {
    let mut choices = interp::choices::Zeros;
    let (mut input, mut output, mut errors) = (
        std::io::stdin().lock(),
        std::io::stdout().lock(),
        std::io::stderr().lock(),
    );
    let mut host = interp::host::Stdio {
        input: &mut input,
        output: &mut output,
        errors: &mut errors,
    };
    let bindings = interp::Bindings {
        choices: &mut choices,
        observer: None,
        host: Some(&mut host),
    };
    let config = interp::Config {
        record: interp::config::Record::Off,
        step_limit: 2_000_000_000,
        ..interp::Config::default()
    };
    let run = interp::run(module, &config, bindings);
    match run.outcome {
        interp::Outcome::Returned(_) | interp::Outcome::Exited(_) => ExitCode::SUCCESS,
        interp::Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            println!(
                "violated {}.{}.{}: {}",
                data.func, data.check, data.ordinal, data.text
            );
            ExitCode::from(10)
        }
        other => {
            println!("{other}");
            ExitCode::from(5)
        }
    }
}
