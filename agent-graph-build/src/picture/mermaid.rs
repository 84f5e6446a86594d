//! Writes a diagram as Mermaid text, for tools that lay it out themselves. Knows Mermaid's flow charts.

use std::fmt::Write;

use super::diagram::{Diagram, Edge, Line, Mark, Node, Shape};

/// The diagrams as the text of one Mermaid flow chart; several are boxes in it.
pub fn mermaid(diagrams: &[Diagram]) -> String {
    let mut out = String::from("flowchart TD\n");
    for (index, diagram) in diagrams.iter().enumerate() {
        if diagrams.len() == 1 {
            out.push_str(&diagram.chart("n"));
        } else {
            let (title, chart) = (
                escaped(&diagram.title),
                diagram.chart(&format!("g{index}n")),
            );
            // Writing to a string does not fail.
            let _ = write!(out, "  subgraph g{index}[\"{title}\"]\n{chart}  end\n");
        }
    }
    for mark in Mark::SHOWN {
        let marked = diagrams.iter().flat_map(|diagram| &diagram.nodes);
        if let (Some((name, style)), true) =
            (style(mark), marked.into_iter().any(|it| it.mark == mark))
        {
            let _ = writeln!(out, "  classDef {name} {style}");
        }
    }
    out
}

impl Diagram {
    /// Nodes, edges and marks; the names of the nodes begin with `prefix`.
    fn chart(&self, prefix: &str) -> String {
        let mut out = String::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(out, "  {prefix}{index}{}", boxed(node));
        }
        for edge in &self.edges {
            let _ = writeln!(
                out,
                "  {prefix}{}{}{prefix}{}",
                edge.from,
                arrow(edge),
                edge.to
            );
        }
        for mark in Mark::SHOWN {
            out.push_str(&self.marked(mark, prefix));
        }
        out
    }

    /// Which nodes have this mark.
    fn marked(&self, mark: Mark, prefix: &str) -> String {
        let nodes = self.nodes.iter().enumerate();
        let marked: Vec<String> = nodes
            .filter(|(_, node)| node.mark == mark)
            .map(|(index, _)| format!("{prefix}{index}"))
            .collect();
        match (style(mark), marked.is_empty()) {
            (Some((name, _)), false) => format!("  class {} {name}\n", marked.join(",")),
            _ => String::new(),
        }
    }
}

/// What nodes with this mark look like.
fn style(mark: Mark) -> Option<(&'static str, &'static str)> {
    Some(match mark {
        Mark::None => return None,
        Mark::Done => ("done", "stroke:#2c9459"),
        Mark::Next => ("next", "stroke:#2a7ade,stroke-width:3px"),
        Mark::Waiting => ("waiting", "stroke:#bb7d00,stroke-width:3px"),
        Mark::Blocked => ("blocked", "stroke:#d64545,stroke-width:3px"),
        Mark::Ahead => ("ahead", "opacity:0.55"),
    })
}

fn boxed(node: &Node) -> String {
    let mut lines = vec![format!("<b>{}</b>", escaped(&node.name))];
    lines.extend(node.notes.iter().map(|note| escaped(note)));
    if node.mark.has_sign() {
        lines.push(format!("({})", node.mark.word()));
    }
    let text = lines.join("<br/>");
    match node.shape {
        Shape::Entry => format!("((\"{text}\"))"),
        Shape::Action | Shape::Agent | Shape::Barrier => format!("[\"{text}\"]"),
        Shape::Gate | Shape::Human => format!("{{{{\"{text}\"}}}}"),
        Shape::Subgraph => format!("[[\"{text}\"]]"),
        Shape::Terminal | Shape::End => format!("([\"{text}\"])"),
        Shape::Set => format!("[/\"{text}\"/]"),
        Shape::Graph => format!(">\"{text}\"]"),
    }
}

fn arrow(edge: &Edge) -> String {
    let label = match edge.line {
        Line::Plain | Line::Conditional => escaped(&edge.label),
        Line::Repeat | Line::Call => escaped(&format!("{} {}", edge.line.word(), edge.label)),
    };
    match (edge.line, label.is_empty()) {
        (Line::Plain, true) => " --> ".to_owned(),
        (Line::Plain, false) => format!(" -- \"{label}\" --> "),
        (Line::Conditional, true) => " -.-> ".to_owned(),
        (Line::Conditional, false) => format!(" -. \"{label}\" .-> "),
        (Line::Repeat, _) => format!(" == \"{label}\" ==> "),
        (Line::Call, _) => format!(" -. \"{label}\" .-o "),
    }
}

/// Text that stays text: what means something to Mermaid or to HTML is spelled as a number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '`' | ';' | '\\' | '*' | '_' | '~' => {
                let _ = write!(out, "#{};", character as u32);
            }
            blank if blank.is_whitespace() => out.push(' '),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
