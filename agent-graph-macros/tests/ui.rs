//! What the macro accepts, and what it says about what it does not. `TRYBUILD=overwrite` writes the
//! expected messages anew.

use std::error::Error;
use std::fs;
use std::path::Path;

#[test]
fn the_macro_compiles_what_it_should_and_explains_the_rest() -> Result<(), Box<dyn Error>> {
    link_fixtures()?;
    let cases = trybuild::TestCases::new();
    cases.pass("tests/pass/*.rs");
    cases.compile_fail("tests/ui/*.rs");
    Ok(())
}

/// The cases are compiled as a package below the target directory, and the macro looks for files
/// relative to that package. So the fixtures are copied there.
fn link_fixtures() -> Result<(), Box<dyn Error>> {
    let executable = std::env::current_exe()?;
    // <target>/<profile>/deps/<executable>
    let target = executable.ancestors().nth(3).ok_or("no target directory")?;
    let package = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME"));
    let fixtures = package.join("fixtures");
    if fixtures.exists() {
        fs::remove_dir_all(&fixtures)?;
    }
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"),
        &fixtures,
    )
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
