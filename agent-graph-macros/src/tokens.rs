//! Reads tokens one after the other and says where one is missing. Knows nothing about the grammar of the macros.
//!
//! A few lines in place of syn, which takes two CPU seconds of the first build of every host.

use std::collections::VecDeque;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// What is wrong, and with which tokens.
pub(crate) struct Error {
    start: Span,
    end: Span,
    message: String,
}

impl Error {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            start: span,
            end: span,
            message: message.into(),
        }
    }

    /// About everything from one token to another.
    pub(crate) fn between(start: Span, end: Span, message: impl Into<String>) -> Self {
        Self {
            end,
            ..Self::new(start, message)
        }
    }

    /// As an error of the compiler: it marks what lies between the first and the last token of the call.
    pub(crate) fn into_compile_error(self) -> TokenStream {
        let Self {
            start,
            end,
            message,
        } = self;
        let mut tokens = quote_spanned!(start=> ::core::compile_error!);
        tokens.extend(quote_spanned!(end=> { #message }));
        tokens
    }
}

/// The tokens that are left.
pub(crate) struct Tokens {
    left: VecDeque<TokenTree>,
    /// What to mark where they end too early: the macro, or the last token before.
    end: Span,
}

/// A text between quotation marks.
pub(crate) struct Text {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl Tokens {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut left = VecDeque::new();
        flatten(tokens, &mut left);
        Self {
            left,
            end: Span::call_site(),
        }
    }

    /// What stands in a pair of parentheses.
    pub(crate) fn parenthesized(&mut self) -> Result<Self, Error> {
        match self.left.pop_front() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                Ok(Self {
                    end: group.span_close(),
                    ..Self::new(group.stream())
                })
            }
            other => Err(self.expected(other, "parentheses")),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes the punctuation if it is next.
    pub(crate) fn take(&mut self, punctuation: char) -> bool {
        let next = matches!(self.left.front(), Some(TokenTree::Punct(next)) if next.as_char() == punctuation);
        if next {
            self.left.pop_front();
        }
        next
    }

    pub(crate) fn punctuation(&mut self, punctuation: char) -> Result<(), Error> {
        if self.take(punctuation) {
            return Ok(());
        }
        let found = self.left.pop_front();
        Err(self.expected(found, &format!("`{punctuation}`")))
    }

    /// Takes the word if it is next.
    pub(crate) fn take_word(&mut self, word: &str) -> Option<Ident> {
        match self.left.front() {
            Some(TokenTree::Ident(next)) if next == word => {
                let next = next.clone();
                self.left.pop_front();
                Some(next)
            }
            _ => None,
        }
    }

    pub(crate) fn word(&mut self, word: &str) -> Result<(), Error> {
        if self.take_word(word).is_some() {
            return Ok(());
        }
        let found = self.left.pop_front();
        Err(self.expected(found, &format!("`{word}`")))
    }

    /// A word, which may be a keyword.
    pub(crate) fn ident(&mut self) -> Result<Ident, Error> {
        match self.left.pop_front() {
            Some(TokenTree::Ident(ident)) => Ok(ident),
            other => Err(self.expected(other, "identifier")),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self) -> Result<bool, Error> {
        match self.left.pop_front() {
            Some(TokenTree::Ident(ident)) if ident == "true" => Ok(true),
            Some(TokenTree::Ident(ident)) if ident == "false" => Ok(false),
            other => Err(self.expected(other, "`true` or `false`")),
        }
    }

    /// About the next token, which should not be there.
    pub(crate) fn unexpected(&self) -> Error {
        let span = self.left.front().map_or(self.end, TokenTree::span);
        Error::new(span, "unexpected token")
    }

    pub(crate) fn text(&mut self) -> Result<Text, Error> {
        match self.left.pop_front() {
            Some(TokenTree::Literal(literal)) => match unquoted(&literal) {
                Some(value) => Ok(Text {
                    value,
                    span: literal.span(),
                }),
                None => Err(self.expected(Some(literal.into()), "string literal")),
            },
            other => Err(self.expected(other, "string literal")),
        }
    }

    /// Each of the things between commas, up to the end; a comma may end them.
    pub(crate) fn each(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !self.is_empty() {
            one(self)?;
            if !self.is_empty() {
                self.punctuation(',')?;
            }
        }
        Ok(())
    }

    /// `#[...]`, if that is next: whether it is documentation, and all of it.
    pub(crate) fn attribute(&mut self) -> Result<Option<(bool, TokenStream)>, Error> {
        if !self.take('#') {
            return Ok(None);
        }
        match self.left.pop_front() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                let first = group.stream().into_iter().next();
                let doc = matches!(first, Some(TokenTree::Ident(name)) if name == "doc");
                Ok(Some((doc, quote!(# #group))))
            }
            other => Err(self.expected(other, "square brackets")),
        }
    }

    /// `pub`, `pub(...)` or nothing.
    pub(crate) fn visibility(&mut self) -> TokenStream {
        let Some(public) = self.take_word("pub") else {
            return TokenStream::new();
        };
        let within = self.take_group(Delimiter::Parenthesis);
        quote!(#public #within)
    }

    fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        match self.left.front() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
                let group = group.clone();
                self.left.pop_front();
                Some(group)
            }
            _ => None,
        }
    }

    /// A path without generics, with its first and last token.
    pub(crate) fn path(&mut self) -> Result<(TokenStream, Span, Span), Error> {
        let start = self.left.front().map_or(self.end, TokenTree::span);
        let mut path = TokenStream::new();
        self.take_colons(&mut path)?;
        loop {
            let segment = self.ident()?;
            let end = segment.span();
            path.extend([TokenTree::from(segment)]);
            if !self.take_colons(&mut path)? {
                return Ok((path, start, end));
            }
        }
    }

    fn take_colons(&mut self, path: &mut TokenStream) -> Result<bool, Error> {
        let Some(TokenTree::Punct(first)) = self.left.front().cloned() else {
            return Ok(false);
        };
        if !self.take(':') {
            return Ok(false);
        }
        match self.left.pop_front() {
            Some(TokenTree::Punct(second)) if second.as_char() == ':' => {
                path.extend([TokenTree::from(first), TokenTree::from(second)]);
                Ok(true)
            }
            other => Err(self.expected(other, "`:`")),
        }
    }

    fn expected(&self, found: Option<TokenTree>, what: &str) -> Error {
        let span = found.map_or(self.end, |found| found.span());
        Error::new(span, format!("expected {what}"))
    }
}

/// Without the invisible groups around what a macro by example passes on.
fn flatten(tokens: TokenStream, into: &mut VecDeque<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), into);
            }
            token => into.push_back(token),
        }
    }
}

/// What a string literal holds; nothing for any other literal.
fn unquoted(literal: &Literal) -> Option<String> {
    let source = literal.to_string();
    if let Some(raw) = source.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw.get(hashes..raw.len().checked_sub(hashes)?)?;
        return Some(inner.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let inner = source.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::with_capacity(inner.len());
    let mut left = inner.chars();
    while let Some(character) = left.next() {
        if character == '\\' {
            value.extend(escaped(&mut left)?);
        } else {
            value.push(character);
        }
    }
    Some(value)
}

/// The character behind a backslash; the inner `None` for a line that goes on.
fn escaped(left: &mut std::str::Chars<'_>) -> Option<Option<char>> {
    let character = match left.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'x' => hexadecimal(left.by_ref().take(2))?,
        'u' => {
            left.next().filter(|&brace| brace == '{')?;
            hexadecimal(left.by_ref().take_while(|&digit| digit != '}'))?
        }
        '\n' => {
            *left = left.as_str().trim_start().chars();
            return Some(None);
        }
        itself => itself,
    };
    Some(Some(character))
}

fn hexadecimal(digits: impl Iterator<Item = char>) -> Option<char> {
    let digits = digits.filter(|&digit| digit != '_');
    let mut code = 0_u32;
    for digit in digits {
        code = code.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Tokens {
        Tokens::new(source.parse().unwrap())
    }

    #[test]
    fn a_text_is_what_the_literal_stands_for() {
        let literals = [
            (r#""plain""#, "plain"),
            (r#""a\\b\"c\n\t\r\0\'""#, "a\\b\"c\n\t\r\0'"),
            (r#""\x41\u{e9}\u{1_F600}""#, "Aé😀"),
            ("\"one \\\n    line\"", "one line"),
            ("r\"a\\b\"", "a\\b"),
            ("r##\"a\"#b\"##", "a\"#b"),
        ];
        for (source, value) in literals {
            let text = tokens(source).text().map(|text| text.value);
            assert_eq!(text.ok().as_deref(), Some(value), "{source}");
        }
        for source in ["7", "b\"bytes\"", "'c'", "c\"text\"", "name", "br\"raw\""] {
            assert!(tokens(source).text().is_err(), "{source}");
        }
    }

    #[test]
    fn a_path_is_segments_between_double_colons() {
        for source in ["::a::b", "crate::a", "a"] {
            let path = tokens(source).path().map(|(path, ..)| path.to_string());
            let path = path.ok().map(|path| path.replace(' ', ""));
            assert_eq!(path.as_deref(), Some(source));
        }
        for source in ["a::", "a:b", "::", "7"] {
            assert!(tokens(source).path().is_err(), "{source}");
        }
    }

    #[test]
    fn what_is_listed_is_between_commas() {
        let count = |source: &str| {
            let mut count = 0;
            let listed = tokens(source).each(|tokens| {
                count += 1;
                tokens.text().map(drop)
            });
            listed.ok().map(|()| count)
        };
        assert_eq!(count(""), Some(0));
        assert_eq!(count(r#""a", "b""#), Some(2));
        assert_eq!(count(r#""a","#), Some(1));
        assert_eq!(count(r#""a" "b""#), None);
        assert_eq!(count(","), None);
    }

    #[test]
    fn an_error_says_what_was_expected() {
        let errors = [
            tokens("").punctuation(';'),
            tokens("x").word("mod"),
            tokens("[1]").parenthesized().map(drop),
            tokens("# x").attribute().map(drop),
        ];
        let messages: Vec<String> = errors
            .into_iter()
            .filter_map(|error| error.err())
            .map(|error| error.message)
            .collect();
        let expected = ["`;`", "`mod`", "parentheses", "square brackets"];
        assert_eq!(messages, expected.map(|what| format!("expected {what}")));
    }
}
