//! The person who approves: somebody at the terminal, or nobody.

use std::io::{self, IsTerminal, Write};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::pi::run::Question;

/// Asks whoever sits at the terminal. Nothing where nobody does: the run waits then.
pub(crate) fn ask(question: &Question) -> Option<Value> {
    if !io::stdin().is_terminal() {
        return None;
    }
    println!("\n{}", question.interrupt.prompt);
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
    ask(question).or_else(|| {
        println!("\n{}\n[nobody is there: yes]", question.interrupt.prompt);
        Some(true.into())
    })
}
