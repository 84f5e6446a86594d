//! A model on 127.0.0.1 that answers from its instructions, in the format of OpenAI's chat completions as a stream:
//! what the real `pi` talks to in tests. It knows nothing about graphs; whoever asks says in the last message what
//! is to be answered.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What a model is asked: `Value` is the body of a request.
pub(crate) type Model = fn(&Value) -> Reply;

/// What it answers.
pub(crate) enum Reply {
    /// A text, and why it ends there.
    Text(String, &'static str),
    /// A call of a tool with these arguments.
    Tool(&'static str, Value),
    /// The request is refused with this status.
    Refusal(u16, &'static str),
    /// The beginning of a text that never ends.
    Endless,
}

/// The server; it answers until the process ends.
pub(crate) struct ModelServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl ModelServer {
    pub(crate) fn start(model: Model) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = log.clone();
                thread::spawn(move || {
                    // Whoever hangs up was told enough.
                    let _ = serve(stream, model, &log);
                });
            }
        });
        Self { address, requests }
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    /// `models.json` of `pi` with this model alone, called `local/scripted`.
    pub(crate) fn models(&self) -> String {
        json!({ "providers": { "local": {
            "baseUrl": format!("http://{}/v1", self.address),
            "api": "openai-completions",
            "apiKey": "none",
            "models": [{
                "id": "scripted",
                "contextWindow": 100_000,
                "maxTokens": 1000,
                "cost": { "input": 1.0, "output": 2.0, "cacheRead": 0.5, "cacheWrite": 0.0 },
            }],
        } } })
        .to_string()
    }
}

/// The last thing that was said by a person, as text.
pub(crate) fn last_instruction(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap();
    let said = messages.iter().rev().find(|it| it["role"] == "user");
    said.map_or(String::new(), |message| text_of(&message["content"]))
}

/// The text of a message, which is a text or a list of parts.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        parts => {
            let parts = parts.as_array().into_iter().flatten();
            parts.filter_map(|part| part["text"].as_str()).collect()
        }
    }
}

fn serve(stream: TcpStream, model: Model, log: &Mutex<Vec<Value>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    log.lock().unwrap().push(request.clone());
    answer(stream, model(&request))
}

fn answer(mut stream: TcpStream, reply: Reply) -> std::io::Result<()> {
    if let Reply::Refusal(status, message) = reply {
        let body = json!({ "error": { "message": message, "type": "invalid_request_error" } });
        let body = body.to_string();
        let length = body.len();
        return write!(
            stream,
            "HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    )?;
    match reply {
        Reply::Text(text, reason) => {
            chunk(
                &mut stream,
                json!({ "role": "assistant", "content": text }),
                None,
            )?;
            chunk(&mut stream, json!({}), Some(reason))?;
        }
        Reply::Tool(name, arguments) => {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            let call =
                json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
            let delta = json!({ "role": "assistant", "tool_calls": [call] });
            chunk(&mut stream, delta, None)?;
            chunk(&mut stream, json!({}), Some("tool_calls"))?;
        }
        Reply::Endless => loop {
            let delta = json!({ "role": "assistant", "content": "and " });
            chunk(&mut stream, delta, None)?;
            thread::sleep(Duration::from_millis(20));
        },
        Reply::Refusal(..) => {}
    }
    // 100 tokens in, 40 of them from a cache, and 10 out.
    let usage = json!({
        "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110,
        "prompt_tokens_details": { "cached_tokens": 40 },
    });
    let last = json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [], "usage": usage });
    write!(stream, "data: {last}\n\ndata: [DONE]\n\n")
}

fn chunk(stream: &mut TcpStream, delta: Value, reason: Option<&str>) -> std::io::Result<()> {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    let chunk = json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [choice] });
    write!(stream, "data: {chunk}\n\n")?;
    stream.flush()
}
