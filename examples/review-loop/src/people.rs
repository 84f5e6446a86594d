//! The person who approves: somebody at the terminal, a line that is piped in, or nobody.

use std::io::{self, IsTerminal, Write};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::run::Question;
use agent_graph_runtime::terminal;

/// Asks whoever sits at the terminal, or takes what is piped in. Nothing where nothing comes: the run waits then.
pub(crate) fn ask(question: &Question) -> Option<Value> {
    put(question);
    loop {
        print!("[yes or no] ");
        io::stdout().flush().ok()?;
        let mut line = String::new();
        if io::stdin().read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Some(true.into()),
            "n" | "no" => return Some(false.into()),
            _ => {}
        }
    }
}

/// Asks whoever sits at the terminal, and agrees in their place where nobody does.
pub(crate) fn ask_or_agree(question: &Question) -> Option<Value> {
    if io::stdin().is_terminal() {
        return ask(question);
    }
    put(question);
    println!("[nobody is there: yes]");
    Some(true.into())
}

/// Models have a part in what is asked.
fn put(question: &Question) {
    println!("\n{}", terminal::lines(&question.interrupt.prompt));
}
