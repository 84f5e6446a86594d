//! The locale of the process is never used.

use std::process::Command;

/// What the process prints under a locale.
fn printed(locale: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_revisions"));
    for variable in [
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_NUMERIC",
        "LANG",
        "LANGUAGE",
    ] {
        command.env_remove(variable);
    }
    if let Some(locale) = locale {
        command.env("LC_ALL", locale).env("LANG", locale);
    }
    let output = command.output().expect("the process starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

#[test]
fn every_locale_gives_one_revision() {
    let expected = printed(None);
    assert!(expected.lines().count() > 50);
    for locale in [
        "C",
        "cs_CZ.UTF-8",
        "da_DK.UTF-8",
        "et_EE.UTF-8",
        "tr_TR.UTF-8",
    ] {
        assert_eq!(printed(Some(locale)), expected, "{locale}");
    }
}
