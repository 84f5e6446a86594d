//! What a step asks to be read: files of the workflow, and content that the host makes. Every piece is
//! acknowledged by a receipt, and a step is taken only when nothing is left unread.

use agent_graph_runtime::json::Value;
use agent_graph_runtime::protocol::ReadState;
use agent_graph_runtime::{
    AdapterReceipt, Candidate, Code, Error, HostActionContent, HostActionLocation,
    HostActionResult, Installed, ReadReceipt, ReadReceipts, ResourceLocation, Route, RouteInput,
};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::letters::Handler;
use crate::letters::graphs::batch::Graph;
use crate::office::{Brief, Office};

/// A step that is about to be taken.
pub(crate) struct Reading<'b> {
    pub(crate) installed: &'b Installed,
    pub(crate) office: &'b Office,
    pub(crate) candidate: &'b Candidate<'b, Graph>,
    pub(crate) input: RouteInput,
}

/// What the workflow asks the host for.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) letter: String,
}

impl Reading<'_> {
    /// Reads all that the step asks for and that was not read before.
    pub(crate) fn read(&self, receipts: &mut ReadReceipts) -> Result<()> {
        let route = self.resolve(receipts)?;
        for location in unread(&route) {
            if let Some(call) = location.as_host_action() {
                let result = self.make(call)?;
                // Only content that the workflow's own schema accepts is shown to anyone.
                self.installed
                    .check_host_action_result(call, &result, |_| {
                        let message = "this host keeps no content elsewhere";
                        Err(Error::new(Code::FileMissing, message))
                    })?;
                show(&result)?;
                receipts.acknowledge(call.receipt(&result)?);
            } else if let Some(file) = location.as_file() {
                let text = std::fs::read_to_string(&file.file_path)?;
                println!("   read {} ({} bytes)", file.id, text.len());
                let receipt = ReadReceipt::of(location);
                receipts.acknowledge(receipt.ok_or("the id of a file has a receipt")?);
            }
        }
        // The receipts say so: the same route again, with nothing left to read.
        match unread(&self.resolve(receipts)?).next() {
            None => Ok(()),
            Some(left) => Err(format!("{} is still unread", left.id()).into()),
        }
    }

    fn resolve(&self, receipts: &ReadReceipts) -> Result<Route> {
        let input = self.input.clone().with_receipts(receipts.clone());
        Ok(self.installed.resolve(self.candidate, &input)?)
    }

    /// Calls the handler that the location names.
    fn make(&self, call: &HostActionLocation) -> Result<HostActionResult> {
        let handler: Handler = call.materialize.handler.parse()?;
        let content = match handler {
            Handler::LettersBriefV1 => {
                let task: Task = call.materialize.input.value.to_typed()?;
                Value::from_serialize(&self.office.brief(&task.letter)?)?
            }
            Handler::LettersAnswerV1 | Handler::LettersSendV1 => {
                return Err(format!("{handler} does something, it makes nothing to read").into());
            }
        };
        Ok(call.answer_inline(content, AdapterReceipt::new("batch-host", "1.0.0")?)?)
    }
}

fn unread(route: &Route) -> impl Iterator<Item = &ResourceLocation> {
    let required = route.resources.required.iter();
    required.filter(|location| location.read_state() == Some(ReadState::ReadRequired))
}

/// What an agent would be shown.
fn show(result: &HostActionResult) -> Result<()> {
    let result = result.typed::<Brief>()?;
    if let HostActionContent::Inline(brief) = &result.output.content {
        println!(
            "   made the brief: {} asks about {}",
            brief.from, brief.about
        );
    }
    Ok(())
}
