//! JSON of the tests' own, written without the crates under test so that a mistake there cannot hide
//! here. Knows nothing about the protocol.

/// A JSON value; members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An array of strings.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    /// JSON text with the members in their order.
    pub fn source(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            // Minus zero and the like survive; digests normalize them.
            Self::Number(value) => format!("{value:?}"),
            Self::Text(text) => quoted(text),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(Self::source).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(name, value)| format!("{}:{}", quoted(name), value.source()))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

/// An object under construction that leaves out what is absent.
#[derive(Clone, Debug, Default)]
pub struct Members(Vec<(String, Json)>);

impl Members {
    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: &str, value: Json) -> Self {
        self.0.push((name.into(), value));
        self
    }

    /// Adds a string.
    #[must_use]
    pub fn text(self, name: &str, text: &str) -> Self {
        self.with(name, Json::text(text))
    }

    /// Adds a member if there is one.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<Json>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The object.
    pub fn object(self) -> Json {
        Json::Object(self.0)
    }
}

/// A string as JSON writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
