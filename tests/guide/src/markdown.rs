//! Blocks of code, links and headings of a page. Knows the Markdown that our pages use, fences at the margin
//! and links in one line, and nothing of what is in a block.

/// A fenced block.
#[derive(Clone, Copy, Debug)]
pub struct Block<'p> {
    /// The line of its opening fence, from 1.
    pub line: usize,
    /// What stands behind the opening fence.
    pub info: &'p str,
    /// The lines between the fences, the last line end included.
    pub text: &'p str,
    /// Where the text begins in the page, in bytes.
    pub start: usize,
}

impl<'p> Block<'p> {
    /// The first word behind the fence.
    pub fn language(&self) -> &'p str {
        self.info.split(',').next().unwrap_or("")
    }

    /// The file that the first line names in a comment, and the lines below.
    pub fn file(&self) -> Option<(&'p str, &'p str)> {
        let (first, rest) = self.text.split_once('\n')?;
        let name = match self.language() {
            "yaml" => first.strip_prefix("# ")?,
            "json" => first.strip_prefix("// ")?,
            // Other blocks of Rust are documentation tests, whatever file they would be.
            "rust" if self.info.contains("ignore") => first.strip_prefix("// ")?,
            "markdown" => first.strip_prefix("<!-- ")?.strip_suffix(" -->")?,
            _ => return None,
        };
        let is_path = name.contains('.') && !name.contains(' ');
        is_path.then_some((name, rest))
    }
}

/// The blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Block<'_>> = None;
    let mut at = 0;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        let fence = line.strip_prefix("```").map(str::trim_end);
        let next = at + line.len();
        match (fence, open.take()) {
            (Some(_), Some(block)) => {
                let text = page.get(block.start..at).unwrap_or("");
                found.push(Block { text, ..block });
            }
            (Some(info), None) => {
                open = Some(Block {
                    line: index + 1,
                    info,
                    text: "",
                    start: next,
                });
            }
            (None, block) => open = block,
        }
        at = next;
    }
    found
}

/// The lines of a page outside its blocks.
pub fn prose(page: &str) -> Vec<&str> {
    let mut inside = false;
    let outside = page.lines().filter(|line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    outside.collect()
}

/// The targets of the links in a page that lead to files or headings of ours.
pub fn links(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in prose(page) {
        for part in line.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or("");
            if !target.contains("://") {
                found.push(target);
            }
        }
    }
    found
}

/// The anchors of the headings in a page, as renderers of Markdown make them.
pub fn anchors(page: &str) -> Vec<String> {
    let headings = prose(page).into_iter().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            _ => character.is_alphanumeric().then_some(character),
        });
        kept.collect()
    };
    headings.map(anchor).collect()
}
