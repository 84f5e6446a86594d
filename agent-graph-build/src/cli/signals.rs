//! What the terminal and the system say to a command that is at work: Ctrl-C, and that it should end. Knows
//! signals, nothing about commands.

/// Calls `act` each time the process is asked to end, in a thread of its own. Nothing is called where that cannot be
/// found out: then the process simply ends.
#[cfg(unix)]
pub(super) fn when_asked_to_end(mut act: impl FnMut() + Send + 'static) {
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::pipe;

    let Ok((mut listening, speaking)) = UnixStream::pair() else {
        return;
    };
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let Ok(speaking) = speaking.try_clone() else {
            return;
        };
        // What cannot be registered does what it always did.
        let _ = pipe::register(signal, speaking);
    }
    let listen = move || {
        let mut byte = [0];
        while listening.read_exact(&mut byte).is_ok() {
            act();
        }
    };
    let _ = std::thread::Builder::new().spawn(listen);
}

/// Calls nothing: there are no signals here.
#[cfg(not(unix))]
pub(super) fn when_asked_to_end(_: impl FnMut() + Send + 'static) {}
