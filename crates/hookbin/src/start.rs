//! How the process starts: its entry point, its memory, and the alarm that ends a run that takes too long.
//!
//! The only unsafe code of the workspace, for four savings that safe code cannot have. Figures are of one event on the machine of
//! the benchmark notes:
//!
//! * The entry point is C's `main`. Rust's own start-up probes the main thread's stack and installs handlers that a process of
//!   half a millisecond does not need; leaving it out saves about a seventh of an empty process.
//! * A hook run takes memory from a fixed arena and never gives it back, which saves a third of the path. Human commands, which may
//!   run long, use the system's allocator.
//! * The alarm is a timer of the kernel and costs two system calls, where a watching thread would cost a tenth of the run. Its handler
//!   may call nothing that takes a lock or allocates; it replaces the process by a fresh one that gives the documented answer.
//! * A write lease keeps readers out of a replaced file, so that the next update can write into it. Making a file and removing one
//!   costs a tenth of the run.
#![allow(unsafe_code, reason = "the entry point, the allocator and the signal handler cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of the arena. It is zero memory of the executable's own image, so pages that nobody touches cost nothing.
const ARENA_BYTES: usize = if cfg!(test) { 128 << 10 } else { 1 << 20 };

/// Requests of this size and more go to the system, which gives them back: large payloads, and buffers that grow.
const LARGE: usize = 64 << 10;

/// An allocator that never frees small blocks while it is switched on.
struct Arena {
    on: AtomicBool,
    used: AtomicUsize,
    bytes: UnsafeCell<[u8; ARENA_BYTES]>,
}

// SAFETY: `bytes` is only ever handed out in disjoint pieces, which the atomic `used` counts out; nobody reads it as a whole.
unsafe impl Sync for Arena {}

impl Arena {
    #[allow(clippy::large_stack_arrays, reason = "it is evaluated at compile time, into the image of the executable")]
    const fn new() -> Self {
        Self { on: AtomicBool::new(false), used: AtomicUsize::new(0), bytes: UnsafeCell::new([0; ARENA_BYTES]) }
    }

    fn base(&self) -> *mut u8 {
        self.bytes.get().cast()
    }

    /// The offset of `block` in the arena, if it lies there.
    fn offset_of(&self, block: *mut u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.base().addr());
        (offset < ARENA_BYTES).then_some(offset)
    }

    fn take(&self, layout: Layout) -> Option<*mut u8> {
        if layout.size() >= LARGE || !self.on.load(Ordering::Relaxed) {
            return None;
        }
        let base = self.base().addr();
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let start = (base + used).next_multiple_of(layout.align()) - base;
            let end = start.checked_add(layout.size()).filter(|end| *end <= ARENA_BYTES)?;
            match self.used.compare_exchange_weak(used, end, Ordering::Relaxed, Ordering::Relaxed) {
                // SAFETY: `start + size` is within the arena, and the exchange made `start..end` ours alone.
                Ok(_) => return Some(unsafe { self.base().add(start) }),
                Err(now) => used = now,
            }
        }
    }

    /// Grows or shrinks the newest block where it lies.
    fn resize(&self, offset: usize, old: usize, new: usize) -> bool {
        let Some(end) = offset.checked_add(new).filter(|end| *end <= ARENA_BYTES && new < LARGE) else { return false };
        self.used.compare_exchange(offset + old, end, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

// SAFETY: a block comes either from the arena or from the system, `offset_of` tells which by its address alone, and each is
// resized and given back by the one that it came from. Arena blocks are disjoint and aligned (`take`).
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises for `alloc` are the same.
        self.take(layout).unwrap_or_else(|| unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if self.offset_of(block).is_none() {
            // SAFETY: it did not come from the arena, so it came from the system, with this layout.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Some(offset) = self.offset_of(block) else {
            // SAFETY: it did not come from the arena, so it came from the system, with this layout.
            return unsafe { System.realloc(block, layout, new_size) };
        };
        if self.resize(offset, layout.size(), new_size) {
            return block;
        }
        // SAFETY: the size is not zero and fits `isize` with this alignment, as the caller of `realloc` promises.
        let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(new_size, layout.align())) };
        if !moved.is_null() {
            // SAFETY: both blocks are valid for the smaller of the two sizes and do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size)) }
        }
        moved
    }
}

#[cfg(not(test))]
#[global_allocator]
static ARENA: Arena = Arena::new();

#[cfg(all(unix, not(test)))]
mod unix {
    //! The entry point and the alarm of Unix systems.

    use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
    use std::os::unix::ffi::OsStrExt;
    use std::ptr::null;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    use hook_runtime::event::deadline::{LAST_ANSWER, refuses};

    use super::ARENA;

    /// Arguments that a late run gets: the program, `hook`, the mark, and what stood after `hook`.
    const LATE_ARGS: usize = 16;
    static LATE: [AtomicPtr<c_char>; LATE_ARGS + 1] = [const { AtomicPtr::new(std::ptr::null_mut()) }; LATE_ARGS + 1];

    /// Whether the run that does not answer has to refuse.
    static REFUSES: AtomicBool = AtomicBool::new(false);

    /// C's entry point.
    #[unsafe(no_mangle)]
    extern "C" fn main(count: c_int, values: *const *const c_char) -> c_int {
        let count = usize::try_from(count).unwrap_or_default();
        // SAFETY: the system passes `count` pointers to strings that live as long as the process.
        let values: &[*const c_char] =
            if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(values, count) } };
        // SAFETY: as above; each ends with a NUL.
        let text = |value: &*const c_char| unsafe { CStr::from_ptr(*value) }.to_bytes();
        let hook = values.get(1).is_none_or(|first| text(first) == b"hook");
        if hook {
            ARENA.on.store(true, Ordering::Relaxed);
            let subject = values.iter().skip(2).map(&text).find(|value| !value.starts_with(b"-"));
            REFUSES.store(refuses(subject), Ordering::Relaxed);
            set_alarm(
                values,
                values.get(2).is_some_and(|second| text(second) == hook_runtime::event::deadline::LATE_MARK.as_bytes()),
            );
        }
        // SAFETY: no other thread exists yet. A broken pipe and a file at its limit are then errors of `write`, not the end of the
        // process. Commands for people end with their pipe, as others do.
        unsafe {
            if hook {
                libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            }
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
        let args: Vec<OsString> = values.iter().map(|value| OsStr::from_bytes(text(value)).to_owned()).collect();
        c_int::from(hookbin::main(args, HOLD, if hook { Some(arm_timer) } else { None }))
    }

    #[cfg(not(target_os = "linux"))]
    const HOLD: Option<fn(&std::fs::File) -> bool> = None;
    #[cfg(target_os = "linux")]
    const HOLD: Option<fn(&std::fs::File) -> bool> = Some(hold);

    /// Takes a write lease, which the kernel gives only for a file that nobody else has open. It is given back when the file closes.
    #[cfg(target_os = "linux")]
    fn hold(file: &std::fs::File) -> bool {
        use std::os::fd::AsRawFd;

        // SAFETY: the descriptor is open as long as `file` is borrowed, and neither call touches memory of ours. The kernel tells the
        // holder of a lease by SIGIO that somebody waits for it, which would end the process.
        unsafe {
            libc::signal(libc::SIGIO, libc::SIG_IGN) != libc::SIG_ERR
                && libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) == 0
        }
    }

    /// Asks the kernel for a signal at the deadline. A run that is late already has to end at its own.
    fn set_alarm(values: &[*const c_char], is_late: bool) {
        let mark: &'static CStr = hook_runtime::event::deadline::LATE_MARK_C;
        let program = values.first().copied().unwrap_or(c"hookbin".as_ptr());
        let args = [program, c"hook".as_ptr(), mark.as_ptr()].into_iter().chain(values.iter().skip(2).copied());
        for (slot, arg) in LATE.iter().take(LATE_ARGS).zip(args) {
            slot.store(arg.cast_mut(), Ordering::Relaxed);
        }
        let handler = if is_late { give_up as extern "C" fn(c_int) } else { answer_late };
        let millis =
            if is_late { hook_runtime::event::deadline::LATE_MILLIS } else { hook_runtime::event::deadline::MILLIS };
        // SAFETY: `action` is fully initialised before it is used; the handler only makes calls that are safe in a signal handler.
        // SA_NODEFER: the process that takes this one's place inherits the mask and has to get its own alarm.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_NODEFER;
            libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut());
        }
        arm_timer(millis.into());
    }

    /// Asks the kernel for the signal this many milliseconds from now, instead of when it was asked for before.
    fn arm_timer(millis: u32) {
        let value = libc::timeval {
            tv_sec: libc::time_t::from(i32::try_from(millis / 1_000).unwrap_or(i32::MAX)),
            tv_usec: libc::suseconds_t::from(i32::try_from(millis % 1_000 * 1_000).unwrap_or(0)),
        };
        let once = libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value: value };
        // SAFETY: `once` is initialised and lives through the call, which keeps nothing of it.
        unsafe {
            libc::setitimer(libc::ITIMER_REAL, &raw const once, std::ptr::null_mut());
        }
    }

    /// The deadline of an ordinary run: become a process that answers without the payload. Locks and files close on the way.
    extern "C" fn answer_late(_signal: c_int) {
        let mut args: [*const c_char; LATE_ARGS + 1] = [null(); LATE_ARGS + 1];
        for (arg, slot) in args.iter_mut().zip(&LATE) {
            *arg = slot.load(Ordering::Relaxed);
        }
        // SAFETY: `args` and the environment are arrays of strings that end with a null pointer and live as long as the process.
        // Both calls are safe in a signal handler.
        unsafe {
            libc::execve(hook_runtime::event::deadline::OWN_EXECUTABLE.as_ptr(), args.as_ptr(), environ.cast());
        }
        give_up(libc::SIGALRM);
    }

    /// The deadline of a late run: it can only end. A call is refused by words that are compiled in; of any other event, exit 0 with
    /// nothing on stdout is "no answer" to the host.
    extern "C" fn give_up(_signal: c_int) {
        // SAFETY: both calls are safe in a signal handler, and the text lives as long as the process.
        unsafe {
            if REFUSES.load(Ordering::Relaxed) {
                libc::write(libc::STDERR_FILENO, LAST_ANSWER.as_ptr().cast(), LAST_ANSWER.len());
                libc::_exit(2)
            }
            libc::_exit(0)
        }
    }

    unsafe extern "C" {
        /// The environment, as the system passed it.
        static environ: *const *const c_char;
    }
}

#[cfg(test)]
mod tests {
    //! The allocator alone, so that it can run under Miri.

    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    fn arena() -> Box<Arena> {
        let arena = Box::new(Arena::new());
        arena.on.store(true, Ordering::Relaxed);
        arena
    }

    #[test]
    fn blocks_are_aligned_and_disjoint() {
        let arena = arena();
        let mut end = 0;
        for (size, align) in [(1, 1), (3, 8), (64, 64), (5, 2), (4096, 4096), (7, 16)] {
            let block = arena.take(layout(size, align)).unwrap();
            assert_eq!(block.addr() % align, 0);
            assert!(block.addr() >= end, "blocks overlap");
            unsafe { block.write_bytes(0xAB, size) };
            end = block.addr() + size;
        }
    }

    #[test]
    fn the_newest_block_grows_in_place_and_an_older_one_moves_with_its_content() {
        let arena = arena();
        unsafe {
            let first = arena.alloc(layout(8, 8));
            first.write_bytes(1, 8);
            assert_eq!(arena.realloc(first, layout(8, 8), 16), first);
            let second = arena.alloc(layout(8, 8));
            let moved = arena.realloc(first, layout(16, 8), 32);
            assert_ne!(moved, first);
            assert_eq!(*moved, 1);
            assert_eq!(*moved.add(7), 1);
            assert!(moved > second);
        }
    }

    #[test]
    fn large_blocks_and_a_full_arena_come_from_the_system() {
        let arena = arena();
        unsafe {
            let large = arena.alloc(layout(LARGE, 1));
            assert!(arena.offset_of(large).is_none());
            let grown = arena.realloc(large, layout(LARGE, 1), 2 * LARGE);
            arena.dealloc(grown, layout(2 * LARGE, 1));
            while arena.take(layout(LARGE - 1, 1)).is_some() {}
            let small = arena.alloc(layout(LARGE / 2, 1));
            assert!(arena.offset_of(small).is_none());
            arena.dealloc(small, layout(LARGE / 2, 1));
        }
    }

    #[test]
    fn an_arena_that_is_switched_off_gives_nothing() {
        assert!(Arena::new().take(layout(1, 1)).is_none());
    }
}
