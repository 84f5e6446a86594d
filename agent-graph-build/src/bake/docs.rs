//! Documentation of generated items. Descriptions are plain text, so whatever rustdoc would take for
//! markup, a link, a code block or a doctest is escaped.

use proc_macro2::TokenStream;
use quote::quote;

/// Doc attributes, one a line: the sentence, and below it the description, if there is one.
pub(super) fn docs(sentence: &str, description: Option<&str>) -> TokenStream {
    let mut lines = vec![sentence.to_owned()];
    let description: Vec<String> = description.unwrap_or("").lines().map(escape).collect();
    if description.iter().any(|line| !line.is_empty()) {
        lines.push(String::new());
        lines.extend(description);
    }
    attributes(lines.iter().map(String::as_str))
}

/// Doc attributes for lines that are already Markdown.
pub(crate) fn attributes<'l>(lines: impl Iterator<Item = &'l str>) -> TokenStream {
    lines
        .map(|line| {
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            };
            quote!(#[doc = #line])
        })
        .collect()
}

/// The text as inline code.
pub(super) fn code(text: &str) -> String {
    let text: String = text.chars().map(visible).collect();
    format!("`{}`", text.replace('`', "'"))
}

/// A line of plain text as Markdown.
fn escape(line: &str) -> String {
    let line = line.trim();
    let mut escaped = String::with_capacity(line.len());
    for (index, character) in line.chars().enumerate() {
        match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '~' | '|' => {
                escaped.push('\\');
                escaped.push(character);
            }
            // Only at the beginning of a line do these mean a heading, a list or a rule.
            '#' | '-' | '+' | '=' if index == 0 => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(visible(other)),
        }
    }
    escaped
}

/// The character, or a stand-in for one that the compiler refuses in comments because it could make
/// code look other than it is.
fn visible(character: char) -> char {
    match character {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        other if other.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(sentence: &str, description: &str) -> Vec<String> {
        let tokens = docs(sentence, Some(description));
        let file: syn::ItemStruct = syn::parse_quote!(#tokens struct S;);
        file.attrs
            .iter()
            .map(|attribute| match &attribute.meta {
                syn::Meta::NameValue(pair) => match &pair.value {
                    syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(line),
                        ..
                    }) => line.value(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn every_line_is_an_attribute_of_its_own() {
        assert_eq!(
            printed("`a`, an action.", "First.\n\nSecond.\r\n"),
            [" `a`, an action.", "", " First.", "", " Second."]
        );
    }

    #[test]
    fn an_empty_description_adds_nothing() {
        assert_eq!(printed("`a`.", " \n "), [" `a`."]);
    }

    #[test]
    fn nothing_in_a_description_is_markup() {
        assert_eq!(
            printed("x", "    ```rust\n    [link] <b> *x* \\\n# head\n- item"),
            [
                " x",
                "",
                " \\`\\`\\`rust",
                " \\[link\\] \\<b\\> \\*x\\* \\\\",
                " \\# head",
                " \\- item"
            ]
        );
    }

    #[test]
    fn characters_that_hide_code_are_replaced() {
        assert_eq!(
            printed("x", "a\u{202e}b\u{1}c"),
            [" x", "", " a\u{fffd}b\u{fffd}c"]
        );
        assert_eq!(code("a`b\r"), "`a'b\u{fffd}`");
    }
}
