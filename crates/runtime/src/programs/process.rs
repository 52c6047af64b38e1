//! Other programs: started in a process group of their own, with bounds on time and output, and ended with all that they started.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It took too long and was ended.
    TimedOut,
    /// Nobody wants its result any more, and it was ended.
    GivenUp,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// The last bytes of what it printed.
    pub output: Vec<u8>,
    /// It printed more than that.
    pub cut: bool,
}

impl Ended {
    /// Whether it ended well.
    pub fn is_good(&self) -> bool {
        matches!(&self.end, End::Exited(status) if status.success())
    }

    /// The output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// What a program may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How long it may run.
    pub time: Duration,
    /// Bytes of its output that are kept: the last ones.
    pub bytes: usize,
    /// What it prints to stderr belongs to its output.
    pub errors: bool,
}

/// The longest pause between two looks at a running program.
const LOOK: Duration = Duration::from_millis(50);

/// The last `limit` bytes that were added.
struct Tail {
    bytes: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl Tail {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        // Twice the limit before anything moves, so that each byte moves once on average.
        if self.bytes.len() > self.limit.saturating_mul(2) {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let excess = self.bytes.len().saturating_sub(self.limit);
        self.cut |= excess > 0;
        self.bytes.drain(..excess);
    }

    fn ended(mut self, end: End) -> Ended {
        self.shorten();
        Ended { end, output: self.bytes, cut: self.cut }
    }
}

/// Runs a program to its end, within bounds. It is ended early when `wanted` says no.
///
/// When it has ended, whatever it left running in its group is ended too.
#[cfg(unix)]
pub fn run(mut command: Command, bounds: Bounds, wanted: &mut dyn FnMut() -> bool) -> io::Result<Ended> {
    use std::os::unix::process::CommandExt;

    let end = Instant::now() + bounds.time;
    let (reader, writer) = io::pipe()?;
    let errors = if bounds.errors { Stdio::from(writer.try_clone()?) } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(writer).stderr(errors).process_group(0);
    let mut child = command.spawn()?;
    // The command holds the writing ends, and without them closed the pipe never ends.
    drop(command);
    let mut tail = Tail { bytes: Vec::new(), limit: bounds.bytes, cut: false };
    let mut open = true;
    let stop = |child: &mut std::process::Child| {
        end_group(child.id());
        let _ = child.wait();
    };
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || !wanted() {
            stop(&mut child);
            return Ok(tail.ended(if left.is_zero() { End::TimedOut } else { End::GivenUp }));
        }
        if open {
            open = read_some(&reader, left.min(LOOK), &mut tail)?;
        } else {
            std::thread::sleep(left.min(Duration::from_millis(5)));
        }
        if let Some(status) = child.try_wait()? {
            // What is still in the pipe belongs to the output; what a left program goes on printing does not.
            let mut rounds = 0;
            while open && rounds < 64 {
                let before = tail.bytes.len();
                open = read_some(&reader, Duration::ZERO, &mut tail)? && tail.bytes.len() != before;
                rounds += 1;
            }
            end_group(child.id());
            return Ok(tail.ended(End::Exited(status)));
        }
    }
}

/// Waits for output and takes it. False at its end.
#[cfg(unix)]
fn read_some(mut reader: &io::PipeReader, wait: Duration, tail: &mut Tail) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
    let mut watched = [PollFd::new(&reader, PollFlags::IN)];
    match poll(&mut watched, Some(&timeout)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(true),
        Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    let mut buffer = [0; 16 << 10];
    let read = io::Read::read(&mut reader, &mut buffer)?;
    tail.add(buffer.get(..read).unwrap_or_default());
    Ok(read > 0)
}

/// Ends every process of the group. The group is that of a child of ours, so nobody else's.
#[cfg(unix)]
fn end_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};

    let group = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // One that is empty by now is fine.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Runs a program to its end, within bounds. It is ended early when `wanted` says no;
/// what it started itself is not, since std knows no groups here.
#[cfg(not(unix))]
pub fn run(mut command: Command, bounds: Bounds, wanted: &mut dyn FnMut() -> bool) -> io::Result<Ended> {
    use std::io::Read;
    use std::sync::mpsc;

    let end = Instant::now() + bounds.time;
    let (mut reader, writer) = io::pipe()?;
    let errors = if bounds.errors { Stdio::from(writer.try_clone()?) } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(writer).stderr(errors);
    let mut child = command.spawn()?;
    drop(command);
    let (send, receive) = mpsc::channel::<Vec<u8>>();
    std::thread::spawn(move || {
        let mut buffer = [0; 16 << 10];
        while let Ok(read) = reader.read(&mut buffer) {
            if read == 0 || send.send(buffer.get(..read).unwrap_or_default().to_vec()).is_err() {
                break;
            }
        }
    });
    let mut tail = Tail { bytes: Vec::new(), limit: bounds.bytes, cut: false };
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || !wanted() {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(tail.ended(if left.is_zero() { End::TimedOut } else { End::GivenUp }));
        }
        if let Ok(more) = receive.recv_timeout(left.min(LOOK)) {
            tail.add(&more);
        }
        if let Some(status) = child.try_wait()? {
            while let Ok(more) = receive.recv_timeout(LOOK) {
                tail.add(&more);
            }
            return Ok(tail.ended(End::Exited(status)));
        }
    }
}

/// Starts a program that nobody waits for, outside the host's group of processes.
pub fn detach(mut command: Command) -> io::Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map(drop)
}
