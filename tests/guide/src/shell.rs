//! Command lines as pages write them. Knows words, quotes and comments, and no other part of any shell.

/// The words of a command line, without its comment. `None` when a quote is not closed.
pub fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A command of a `console` block and what it prints.
#[derive(Clone, Debug)]
pub struct Exchange<'p> {
    /// The line behind `$ `.
    pub command: &'p str,
    /// What is shown below it.
    pub output: String,
}

/// The commands of a `console` block.
pub fn exchanges(block: &str) -> Vec<Exchange<'_>> {
    let mut found: Vec<Exchange<'_>> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Exchange {
                command,
                output: String::new(),
            }),
            (None, Some(last)) => {
                last.output += line;
                last.output.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}
