//! The table of codes on the page about errors is the registry. `AGENT_GRAPH_BLESS=1` writes it anew.

use std::fs;
use std::sync::{Mutex, PoisonError};

use agent_graph_guide::{blesses, read, workspace};
use agent_graph_runtime::Code;
use agent_graph_runtime::pi::run::RunCode;

const PAGE: &str = "docs/guide/troubleshooting.md";

/// The text between two comments of the page is this one.
fn assert_generated(name: &str, text: &str) {
    // Both tables are written into one page.
    static PAGE_IN_USE: Mutex<()> = Mutex::new(());
    let _in_use = PAGE_IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let page = read(PAGE);
    let (begin, end) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = page.split_once(&begin).expect("the place is marked");
    let (there, after) = rest.split_once(&end).expect("its end is marked");
    if blesses() {
        fs::write(
            workspace().join(PAGE),
            format!("{before}{begin}{text}{end}{after}"),
        )
        .unwrap();
    } else {
        assert_eq!(
            there, text,
            "{PAGE} is out of date: AGENT_GRAPH_BLESS=1 writes it"
        );
    }
}

#[test]
fn every_code_is_on_the_page_with_its_cause_and_its_cure() {
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| code.as_str());
    let mut table = "\n| code | cause | what to do |\n| --- | --- | --- |\n".to_owned();
    for code in codes {
        let cell = |text: &str| text.replace('|', "\\|");
        table += &format!(
            "| `{code}` | {} | {} |\n",
            cell(code.cause()),
            cell(code.cure())
        );
    }
    table.push('\n');
    assert_generated("codes", &table);
}

#[test]
fn every_code_with_which_a_pi_graph_can_fail_is_on_the_page() {
    let page = read(PAGE);
    for code in RunCode::ALL {
        assert!(page.contains(&format!("`{}`", code.as_str())), "{code:?}");
    }
}
