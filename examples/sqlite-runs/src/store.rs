//! Runs as rows of a SQLite database. Knows SQL, nothing about what a run holds.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_graph_runtime::runs::{Run, RunStore};
use agent_graph_runtime::{Code, Error};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

/// A table of runs. Other processes may use it at the same time.
pub(crate) struct SqliteStore {
    connection: Mutex<Connection>,
}

impl SqliteStore {
    /// The table in the database at `path`, made if it is not there.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let open = || {
            let connection = Connection::open(path)?;
            connection.busy_timeout(Duration::from_secs(30))?;
            // What was acknowledged survives a crash of the machine.
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.execute(
                "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, text TEXT NOT NULL)",
                [],
            )?;
            Ok(connection)
        };
        let connection = open().map_err(|error| failure(Code::FileWriteFailed, &error))?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// A statement that failed has changed nothing, so a poisoned lock is as good as another.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunStore for SqliteStore {
    type Key = str;

    fn load(&self, key: &str) -> Result<Run, Error> {
        let select = "SELECT text FROM runs WHERE key = ?1";
        let text: Option<String> = self
            .connection()
            .query_row(select, [key], |row| row.get(0))
            .optional()
            .map_err(|error| failure(Code::FileReadFailed, &error))?;
        match text {
            Some(text) => Run::from_json(&text),
            None => Err(Error::new(
                Code::FileReadFailed,
                format!("there is no run `{key}`"),
            )),
        }
    }

    fn create(&self, key: &str, run: &Run) -> Result<(), Error> {
        let insert = "INSERT OR IGNORE INTO runs (key, text) VALUES (?1, ?2)";
        let inserted = self
            .connection()
            .execute(insert, params![key, run.text()])
            .map_err(|error| failure(Code::FileWriteFailed, &error))?;
        if inserted == 0 {
            let message = format!("there is a run `{key}` already");
            return Err(Error::new(Code::RunTargetExists, message));
        }
        Ok(())
    }

    /// Comparing and saving is one statement, and hence one step for everybody else.
    fn replace(&self, key: &str, old: &Run, new: &Run) -> Result<bool, Error> {
        let update = "UPDATE runs SET text = ?3 WHERE key = ?1 AND text = ?2";
        let updated = self
            .connection()
            .execute(update, params![key, old.text(), new.text()])
            .map_err(|error| failure(Code::FileWriteFailed, &error))?;
        Ok(updated == 1)
    }

    fn name(&self, key: &str) -> String {
        key.into()
    }
}

/// Who could not get at the database in time may try again.
fn failure(code: Code, error: &rusqlite::Error) -> Error {
    let code = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Code::RunConflict,
        _ => code,
    };
    Error::new(code, format!("the database of runs: {error}"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use agent_graph_runtime::Outcome;
    use agent_graph_runtime::runs::{NewRun, Runs, suite};

    use super::*;

    /// A database that goes away with its test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let name = format!("agent-graph-sqlite-{}-{name}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn runs(&self) -> Runs<SqliteStore> {
            Runs::new(SqliteStore::open(&self.0.join("runs.db")).unwrap())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_database_does_what_every_store_has_to() {
        let scratch = Scratch::new("suite");
        suite::check(&scratch.runs(), str::to_owned).unwrap();
    }

    #[test]
    fn connections_that_know_nothing_of_each_other_lose_nothing() {
        const WRITERS: usize = 8;
        const RECORDS: usize = 5;
        let scratch = Scratch::new("connections");
        scratch.runs().create("run", NewRun::new("p", "g")).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let runs = scratch.runs();
                scope.spawn(move || {
                    for number in 0..RECORDS {
                        let node = format!("g/{writer}-{number}");
                        // A conflict changed nothing: trying again resolves it.
                        while let Err(error) =
                            runs.record("run", node.as_str(), Outcome::Completed, None)
                        {
                            assert_eq!(error.code(), Code::RunConflict, "{error}");
                        }
                    }
                });
            }
        });
        let run = scratch.runs().load("run").unwrap();
        let numbers = run.events().map(|event| event.sequence());
        assert!(numbers.eq(1..=1 + (WRITERS * RECORDS) as u64));
        assert_eq!(run.outcomes().len(), WRITERS * RECORDS);
    }
}
