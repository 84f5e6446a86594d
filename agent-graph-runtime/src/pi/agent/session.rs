//! The session file of a thread: which one it is, and whether what lies there may be used (spec 9.4). Fails
//! closed: a session that has been used and is gone is never begun anew. Knows nothing about how files are
//! looked at.

use alloc::format;
use alloc::string::String;

use super::node::AgentNode;
use crate::pi::run::{Failure, RunCode, WorkThread};
use crate::pi::words::ContextMode;

/// What lies at the path of a session file; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A regular file.
    RegularFile,
    /// Anything else, a link included.
    Other,
}

/// The session file of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its path.
    pub path: String,
    /// Whether it is used for the first time: then it may be missing, and is created empty.
    pub is_new: bool,
}

impl Session {
    /// Whether what lies at the path may be used; `true` where the file is still to be created.
    ///
    /// # Errors
    /// `THREAD_SESSION_INVALID`, `THREAD_SESSION_MISSING`.
    pub fn admit(&self, found: Found) -> Result<bool, Failure> {
        match found {
            Found::RegularFile => Ok(false),
            Found::Nothing if self.is_new => Ok(true),
            Found::Nothing => Err(Failure::new(
                RunCode::ThreadSessionMissing,
                format!("the session {} has been used and is gone", self.path),
            )),
            Found::Other => Err(Failure::new(
                RunCode::ThreadSessionInvalid,
                format!("the session {} is no regular file", self.path),
            )),
        }
    }
}

impl AgentNode<'_> {
    /// The session file of an attempt; nothing for nodes without a thread.
    ///
    /// # Errors
    /// `THREAD_CONTEXT_MISSING` where the run knows no thread for the node; `THREAD_SESSION_DIRECTORY` where
    /// the host keeps none, `THREAD_SESSION_INVALID` where the name of the session is no plain name.
    pub fn session(
        &self,
        threads_root: Option<&str>,
        run_id: &str,
        thread: Option<&WorkThread>,
    ) -> Result<Option<Session>, Failure> {
        if self.agent.context != ContextMode::Thread {
            return Ok(None);
        }
        let Some(thread) = thread else {
            let message = "the run has no thread for the node";
            return Err(Failure::new(RunCode::ThreadContextMissing, message));
        };
        let Some(root) = threads_root else {
            let message = "there is no folder for the sessions of threads";
            return Err(Failure::new(RunCode::ThreadSessionDirectory, message));
        };
        if !is_plain(run_id) || !is_plain(&thread.session_id) {
            let message = "the session of the thread has no plain name";
            return Err(Failure::new(RunCode::ThreadSessionInvalid, message));
        }
        Ok(Some(Session {
            path: format!("{root}/{run_id}/{}.jsonl", thread.session_id),
            is_new: thread.invocation_count == 0,
        }))
    }
}

/// Whether a text is one part of a path that leads nowhere else.
pub(crate) fn is_plain(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !name.is_empty() && name.len() <= 128 && !name.starts_with('.') && name.bytes().all(allowed)
}
