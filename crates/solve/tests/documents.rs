//! `docs/dependencies.md` tells why every dependency is there.

const MANIFEST: &str = include_str!("../../../Cargo.toml");
const DOCUMENT: &str = include_str!("../../../docs/dependencies.md");

#[test]
fn every_dependency_has_its_sentence() {
    let names = MANIFEST
        .lines()
        .skip_while(|line| *line != "[workspace.dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.contains("path =") && !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name);
    let told: Vec<&str> = DOCUMENT
        .lines()
        .filter(|line| line.starts_with("- `"))
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(head, _)| head.split('`').skip(1).step_by(2))
        .collect();
    let missing: Vec<&str> = names.filter(|name| !told.contains(name)).collect();
    assert_eq!(
        missing,
        Vec::<&str>::new(),
        "add a sentence to docs/dependencies.md"
    );
}
