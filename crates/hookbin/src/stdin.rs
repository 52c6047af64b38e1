//! Reading the event from stdin: to its end, but not for ever.

use std::io::IsTerminal;

#[cfg(unix)]
pub(crate) use self::unix::read;

/// Whether stdin is a terminal, so that no event can come from it.
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// Reads stdin to its end.
#[cfg(not(unix))]
pub(crate) fn read() -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before a fault is what there is.
    let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes);
    bytes
}

#[cfg(unix)]
mod unix {
    //! Reading with a limit on the waiting.

    use std::io::Read;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use hook_runtime::event::deadline::STDIN_MILLIS;

    /// First read, in bytes. Nearly every event fits, and the buffer then never grows.
    const FIRST: usize = 16 << 10;

    /// A pause after which a whole object is taken for the whole event, although stdin is still open.
    const PAUSE: Duration = Duration::from_millis(150);

    /// Reads stdin to its end. A writer that keeps it open is waited for only until what came is one whole JSON object and
    /// nothing more comes for a moment, or until the time for reading is over.
    pub(crate) fn read() -> Vec<u8> {
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::with_capacity(FIRST);
        let begin = std::time::Instant::now();
        let limit = Duration::from_millis(u64::from(STDIN_MILLIS));
        // The standard library's buffer would copy everything once more, so reads go to the descriptor.
        loop {
            if bytes.len() == bytes.capacity() {
                bytes.reserve(bytes.len());
            }
            let left = limit.saturating_sub(begin.elapsed());
            let wait = if bytes.is_empty() { left } else { PAUSE.min(left) };
            if !ready(wait) {
                if left.is_zero()
                    || looks_whole(&bytes)
                        && hook_protocol::event::Event::parse(&hook_protocol::lenient::decode(&bytes)).is_ok()
                {
                    return bytes;
                }
                continue;
            }
            match rustix::io::read(rustix::stdio::stdin(), rustix::buffer::spare_capacity(&mut bytes)) {
                Ok(0) => return bytes,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => {
                    // A descriptor that cannot be read this way (none at all, a directory) gives what the library makes of it.
                    let _ = input.read_to_end(&mut bytes);
                    return bytes;
                }
            }
        }
    }

    fn ready(wait: Duration) -> bool {
        let stdin = rustix::stdio::stdin();
        let timeout = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(wait.subsec_nanos()),
        };
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&timeout)) {
            Ok(count) => count > 0,
            // What cannot be polled is read; the read says what is wrong.
            Err(_) => true,
        }
    }

    /// A cheap look before the real parse: does the text end where an object could end?
    fn looks_whole(bytes: &[u8]) -> bool {
        bytes.trim_ascii_end().ends_with(b"}")
    }
}
