//! The rule by which ids become Rust names: where separators go, what happens when two ids meet, and
//! which names Rust keeps for itself. Knows ids and names, nothing about graphs or tokens.
//!
//! An id is split at `. _ / -`. Types and variants join the parts in camel case (`release-gate` becomes
//! `ReleaseGate`), modules with underscores (`release_gate`). Where two ids of one scope meet, all of
//! them spell their separators (`ScanDotReview`, `ScanDashReview`), so that no name depends on the
//! order of the ids. Whoever wants another name says so with a rename.

use agent_graph_runtime::ordered::{Map, Set};

/// What kind of Rust name an id becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// A variant of an enumeration: `ReleaseGate`.
    Variant,
    /// A module: `release_gate`.
    Module,
}

/// Names that the author chose: id to name. A name that begins in upper case is for variants, any
/// other for modules.
pub(crate) type Renames = Map<String, Set<String>>;

/// Ids of one scope that would get the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// The name.
    pub(crate) name: String,
    /// The ids, in the order of the scope.
    pub(crate) ids: Vec<String>,
}

/// The names of the ids of one scope, in their order.
pub(crate) fn names(
    ids: &[&str],
    case: Case,
    renames: &Renames,
) -> Result<Vec<String>, Vec<Clash>> {
    let chosen: Vec<Option<&str>> = ids.iter().map(|id| chosen(id, case, renames)).collect();
    let mut names: Vec<String> = ids
        .iter()
        .zip(&chosen)
        .map(|(id, chosen)| chosen.map_or_else(|| short(id, case), str::to_owned))
        .collect();
    let mut spelled = vec![false; ids.len()];
    // A spelled name can meet a short one, which then has to be spelled too. Every round spells at
    // least one more id, so the rounds end.
    loop {
        let mut changed = false;
        for index in meeting(&names).into_values().flatten() {
            let (Some(id), Some(name), Some(spelled), Some(None)) = (
                ids.get(index),
                names.get_mut(index),
                spelled.get_mut(index),
                chosen.get(index),
            ) else {
                continue;
            };
            if !*spelled {
                *spelled = true;
                changed = true;
                *name = spell(id, case);
            }
        }
        if !changed {
            break;
        }
    }
    let clashes: Vec<Clash> = meeting(&names)
        .into_iter()
        .map(|(name, indices)| Clash {
            name,
            ids: indices
                .into_iter()
                .filter_map(|index| ids.get(index).map(|id| (*id).to_owned()))
                .collect(),
        })
        .collect();
    if clashes.is_empty() {
        Ok(names)
    } else {
        Err(clashes)
    }
}

/// Whether Rust accepts `name` as the name of its case, if need be as a raw identifier.
pub(crate) fn is_valid(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name != "_"
        && !is_never_raw(name)
}

/// The case that a chosen name is for.
pub(crate) fn case_of(name: &str) -> Case {
    if name.starts_with(|first: char| first.is_ascii_uppercase()) {
        Case::Variant
    } else {
        Case::Module
    }
}

/// The identifier for a name, raw where Rust has a keyword of this spelling.
pub(crate) fn identifier(name: &str) -> proc_macro2::Ident {
    let span = proc_macro2::Span::call_site();
    if is_keyword(name) {
        proc_macro2::Ident::new_raw(name, span)
    } else {
        proc_macro2::Ident::new(name, span)
    }
}

fn chosen<'r>(id: &str, case: Case, renames: &'r Renames) -> Option<&'r str> {
    let mut names = renames.get(id)?.iter();
    names.find(|name| case_of(name) == case).map(String::as_str)
}

/// The names that more than one index has, with these indices.
fn meeting(names: &[String]) -> Map<String, Vec<usize>> {
    let mut indices: Map<&str, Vec<usize>> = Map::new();
    for (index, name) in names.iter().enumerate() {
        if let Some(indices) = indices.get_or_insert_with(name, Vec::new) {
            indices.push(index);
        }
    }
    indices
        .into_iter()
        .filter(|(_, indices)| indices.len() > 1)
        .map(|(name, indices)| (name.to_owned(), indices))
        .collect()
}

/// The name without separators.
fn short(id: &str, case: Case) -> String {
    let words = words(id, false);
    if words.is_empty() {
        // Separators only, which no valid id is.
        return spell(id, case);
    }
    join(&words, case)
}

/// The name with every separator spelled.
fn spell(id: &str, case: Case) -> String {
    join(&words(id, true), case)
}

fn words(id: &str, with_separators: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for character in id.chars() {
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        match separator(character) {
            Some(name) if with_separators => words.push(name.to_owned()),
            Some(_) => {}
            // No valid id has such a character; the name has to be valid all the same.
            None => words.push(format!("u{:x}", u32::from(character))),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn separator(character: char) -> Option<&'static str> {
    match character {
        '.' => Some("dot"),
        '_' => Some("underscore"),
        '/' => Some("slash"),
        '-' => Some("dash"),
        // In ids of pi-graph nodes, which are any text.
        ' ' => Some("space"),
        _ => None,
    }
}

fn join(words: &[String], case: Case) -> String {
    let mut name = String::new();
    for word in words {
        match case {
            Case::Module if name.is_empty() => name.push_str(word),
            Case::Module => {
                name.push('_');
                name.push_str(word);
            }
            Case::Variant => {
                let mut characters = word.chars();
                name.extend(characters.next().map(|first| first.to_ascii_uppercase()));
                name.push_str(characters.as_str());
            }
        }
    }
    match (case, name.chars().next()) {
        (Case::Variant, None) => "Empty".to_owned(),
        (Case::Module, None) => "empty".to_owned(),
        (Case::Variant, Some('0'..='9')) => format!("N{name}"),
        (Case::Module, Some('0'..='9')) => format!("n{name}"),
        (Case::Variant, _) if is_never_raw(&name) => format!("{name}Node"),
        (Case::Module, _) if is_never_raw(&name) => format!("{name}_graph"),
        _ => name,
    }
}

/// Keywords that cannot be written as raw identifiers.
fn is_never_raw(name: &str) -> bool {
    matches!(name, "self" | "super" | "crate" | "Self")
}

/// Keywords of any edition, in use or reserved: what is raw in all of them compiles in all of them.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "abstract"
            | "as"
            | "async"
            | "await"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "do"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "final"
            | "fn"
            | "for"
            | "gen"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "macro"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "override"
            | "priv"
            | "pub"
            | "ref"
            | "return"
            | "static"
            | "struct"
            | "trait"
            | "true"
            | "try"
            | "type"
            | "typeof"
            | "unsafe"
            | "unsized"
            | "use"
            | "virtual"
            | "where"
            | "while"
            | "yield"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variants(ids: &[&str]) -> Vec<String> {
        names(ids, Case::Variant, &Renames::new()).unwrap()
    }

    fn modules(ids: &[&str]) -> Vec<String> {
        names(ids, Case::Module, &Renames::new()).unwrap()
    }

    fn renames(pairs: &[(&str, &str)]) -> Renames {
        let mut renames = Renames::new();
        for (id, name) in pairs {
            let names = renames.get_or_insert_with((*id).to_owned(), Set::new);
            names.unwrap().insert((*name).to_owned());
        }
        renames
    }

    #[test]
    fn every_separator_splits_an_id() {
        assert_eq!(
            variants(&["release-gate", "tide.render_brief/v1", "plain"]),
            ["ReleaseGate", "TideRenderBriefV1", "Plain"]
        );
        assert_eq!(
            modules(&["release-gate", "tide.render_brief/v1", "plain"]),
            ["release_gate", "tide_render_brief_v1", "plain"]
        );
    }

    #[test]
    fn ids_that_meet_all_spell_their_separators() {
        assert_eq!(
            variants(&["scan.review", "build", "scan-review", "scanreview"]),
            ["ScanDotReview", "Build", "ScanDashReview", "Scanreview"]
        );
        assert_eq!(
            modules(&["scan.review", "scan/review", "scan_review"]),
            [
                "scan_dot_review",
                "scan_slash_review",
                "scan_underscore_review"
            ]
        );
    }

    #[test]
    fn names_do_not_depend_on_the_order_of_the_ids() {
        let ids = [
            "a-b",
            "a.b",
            "a-dash-b",
            "a",
            "1-b",
            "1b",
            "self",
            "self-node",
        ];
        let forward = variants(&ids);
        let mut reversed_ids = ids;
        reversed_ids.reverse();
        let mut backward = variants(&reversed_ids);
        backward.reverse();
        assert_eq!(forward, backward);
    }

    #[test]
    fn an_id_that_meets_a_spelled_name_is_spelled_too() {
        assert_eq!(
            variants(&["a-b", "a.b", "a-dash-b"]),
            ["ADashB", "ADotB", "ADashDashDashB"]
        );
    }

    #[test]
    fn empty_parts_vanish_unless_the_id_would_meet_another() {
        assert_eq!(variants(&["a//b"]), ["AB"]);
        assert_eq!(variants(&["a..b"]), ["AB"]);
        assert_eq!(
            variants(&["a//b", "a..b", "a/b"]),
            ["ASlashSlashB", "ADotDotB", "ASlashB"]
        );
        assert_eq!(modules(&["a//b", "a/b"]), ["a_slash_slash_b", "a_slash_b"]);
    }

    #[test]
    fn a_leading_digit_gets_an_n() {
        assert_eq!(variants(&["1", "2-fast"]), ["N1", "N2Fast"]);
        assert_eq!(modules(&["1", "2-fast"]), ["n1", "n2_fast"]);
    }

    #[test]
    fn self_becomes_self_node() {
        assert_eq!(variants(&["self"]), ["SelfNode"]);
        assert_eq!(
            variants(&["self", "self-node"]),
            ["SelfNode", "SelfDashNode"]
        );
    }

    #[test]
    fn modules_that_cannot_be_raw_get_a_suffix() {
        assert_eq!(
            modules(&["self", "super", "crate"]),
            ["self_graph", "super_graph", "crate_graph"]
        );
    }

    #[test]
    fn keywords_become_raw_identifiers() {
        for keyword in ["type", "gen", "async", "match", "try"] {
            assert_eq!(modules(&[keyword]), [keyword]);
            assert_eq!(identifier(keyword).to_string(), format!("r#{keyword}"));
        }
        assert_eq!(identifier("plain").to_string(), "plain");
    }

    #[test]
    fn a_chosen_name_wins_and_frees_the_others() {
        let renames = renames(&[("scan.review", "Review")]);
        assert_eq!(
            names(&["scan.review", "scan-review"], Case::Variant, &renames).unwrap(),
            ["Review", "ScanReview"]
        );
    }

    #[test]
    fn the_first_letter_of_a_chosen_name_tells_variants_from_modules() {
        let renames = renames(&[("audit", "Check"), ("audit", "check")]);
        assert_eq!(
            names(&["audit"], Case::Variant, &renames).unwrap(),
            ["Check"]
        );
        assert_eq!(
            names(&["audit"], Case::Module, &renames).unwrap(),
            ["check"]
        );
    }

    #[test]
    fn names_that_still_meet_are_a_clash_with_every_id() {
        assert_eq!(
            names(&["1", "a", "n1"], Case::Variant, &Renames::new()),
            Err(vec![Clash {
                name: "N1".to_owned(),
                ids: vec!["1".to_owned(), "n1".to_owned()]
            }])
        );
        let renames = renames(&[("a", "Same"), ("b", "Same")]);
        assert_eq!(
            names(&["a", "b"], Case::Variant, &renames),
            Err(vec![Clash {
                name: "Same".to_owned(),
                ids: vec!["a".to_owned(), "b".to_owned()]
            }])
        );
    }

    #[test]
    fn a_name_is_valid_when_rust_takes_it() {
        for name in ["Review", "review", "_x", "type", "A1"] {
            assert!(is_valid(name), "{name}");
        }
        for name in [
            "", "_", "1a", "a-b", "self", "Self", "super", "crate", "é", "a b",
        ] {
            assert!(!is_valid(name), "{name}");
        }
    }

    #[test]
    fn any_text_at_all_gets_a_valid_name() {
        for text in [
            "", "-", "..", "é", "日本", "a b", "A", "\u{202e}", "\0", "self.",
        ] {
            for case in [Case::Variant, Case::Module] {
                let names = names(&[text], case, &Renames::new()).unwrap();
                assert!(is_valid(&names[0]), "{text:?} became {:?}", names[0]);
                identifier(&names[0]);
            }
        }
    }
}
