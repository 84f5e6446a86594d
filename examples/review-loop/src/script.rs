//! The agents of the script: what each says in each round.

use agent_graph_runtime::pi::executor::Scripted;
use agent_graph_runtime::pi::run::Usage;

use crate::review::Node;

/// What the first reviewer advises first.
pub(crate) const FIRST_ADVICE: &str = "Say how often doors are opened from inside.";

/// Agents that are satisfied in the third round.
pub(crate) fn executor() -> Scripted {
    let script = Scripted::new();
    let script = script
        .says_using(Node::Draft.as_str(), "Doors have two sides.", turn(40, 6))
        .says_using(
            Node::Refine.as_str(),
            "A door has two sides, and somebody on each.",
            turn(90, 12),
        )
        .says_using(
            Node::Refine.as_str(),
            "A door has somebody on either side now and then; both want to open it.",
            turn(95, 18),
        );
    let script = reviewer(script, Node::ReviewFacts, [6, 8, 9], FIRST_ADVICE);
    let script = reviewer(
        script,
        Node::ReviewStyle,
        [5, 7, 8],
        "Make it one sentence.",
    );
    reviewer(script, Node::ReviewLength, [9, 9, 9], "Keep it as short.")
}

fn reviewer(script: Scripted, node: Node, scores: [u32; 3], advice: &str) -> Scripted {
    scores.into_iter().fold(script, |script, score| {
        let answer = format!(r#"{{"score": {score}, "advice": "{advice}"}}"#);
        script.says_using(node.as_str(), answer, turn(60, 15))
    })
}

fn turn(input_tokens: u64, output_tokens: u64) -> Usage {
    Usage {
        input_tokens,
        output_tokens,
        ..Usage::default()
    }
}
