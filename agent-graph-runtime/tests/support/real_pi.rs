//! The real `pi`, where it is installed: `AGENT_GRAPH_PI` names the program, otherwise it is looked for on the search
//! path. It needs Node 22, which is looked for beside it first. Fetches nothing; says why where there is none.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// A `pi` that runs here.
pub(crate) struct RealPi {
    pub(crate) program: PathBuf,
    /// The search path with the Node that it needs.
    pub(crate) search_path: OsString,
    /// Its version.
    pub(crate) version: String,
}

/// The real `pi`, or nothing; then a line on standard error, which no test harness holds back, says why.
pub(crate) fn find(test: &str) -> Option<RealPi> {
    let found = look();
    let line = match &found {
        Ok(pi) => format!("{test}: with pi {} at {}", pi.version, pi.program.display()),
        Err(why) => format!("{test}: skipped: {why}"),
    };
    let _ = writeln!(std::io::stderr(), "{line}");
    found.ok()
}

fn look() -> Result<RealPi, String> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let program = match std::env::var_os("AGENT_GRAPH_PI") {
        Some(program) => PathBuf::from(program),
        None => {
            let mut places = std::env::split_paths(&paths).map(|folder| folder.join("pi"));
            places
                .find(|place| place.is_file())
                .ok_or("there is no `pi` on the search path, and AGENT_GRAPH_PI names none")?
        }
    };
    let folder = program.parent().map(PathBuf::from).unwrap_or_default();
    let places = std::iter::once(folder).chain(std::env::split_paths(&paths));
    let search_path = std::env::join_paths(places).map_err(|error| error.to_string())?;
    let said = |option: &str| {
        let output = Command::new(&program)
            .arg(option)
            .env("PATH", &search_path)
            .env("PI_OFFLINE", "1")
            .output();
        let output = output.map_err(|error| error.to_string())?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        match output.status.success() {
            true => Ok(said),
            false => Err(format!("{} does not run: {said}", program.display())),
        }
    };
    // `env` looks for Node where the program will.
    let node = Command::new("env")
        .args(["node", "--version"])
        .env("PATH", &search_path)
        .output();
    let node = node.map_err(|error| error.to_string())?;
    let node = String::from_utf8_lossy(&node.stdout).trim().to_owned();
    let major = node.trim_start_matches('v').split('.').next();
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(22..) => {}
        Some(_) => return Err(format!("it needs Node 22, and there is {node}")),
        None => return Err("it needs Node 22, and there is no `node`".to_owned()),
    }
    let version = said("--version")?;
    if !said("--help")?.contains("--no-approve") {
        return Err(format!("pi {version} is too old, it knows no --no-approve"));
    }
    Ok(RealPi {
        program,
        search_path,
        version,
    })
}
