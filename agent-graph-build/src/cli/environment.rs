//! What the surroundings say where no option does: the only place of the command line that looks at the environment
//! and at the current directory.

use std::path::PathBuf;

/// The folder in which pi keeps what is the user's: `PI_CODING_AGENT_DIR`, or `.pi/agent` at home.
pub(super) fn agent_directory() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(directory) = named("PI_CODING_AGENT_DIR") {
        return Some(directory.into());
    }
    let home = named("HOME").or_else(|| named("USERPROFILE"))?;
    Some(PathBuf::from(home).join(".pi/agent"))
}

/// Whether somebody can type answers.
pub(super) fn input_is_terminal() -> bool {
    use std::io::IsTerminal;
    std::io::stdin().is_terminal()
}

/// Where the search for a project begins.
pub(super) fn current_directory() -> PathBuf {
    // Where there is none any more, nothing is found above it either.
    std::env::current_dir().unwrap_or_default()
}
