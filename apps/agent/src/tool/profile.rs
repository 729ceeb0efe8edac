//! What is true of a load tool wherever it is installed. Who judges, verifies or plans asks here and never for a tool's name.

use crate::protocol::spec::Scenario;

/// How a tool differs from [`Profile::COMMON`]. Each `tool/NAME.rs` states its own as `PROFILE`.
pub struct Profile {
    /// Does it time itself by a clock that can be set? Then a step of that clock changes its figures.
    pub wall_clock: fn(&Scenario) -> bool,
    /// At a fixed rate its duration is the planned one, and it may end earlier, with the last response.
    pub reports_planned_time: bool,
    /// At a fixed rate its latency begins when a request was due: requests that wait for a connection are in the mean and on no
    /// connection.
    pub times_from_due: bool,
    /// At a fixed rate it opens all its connections. Others open them as they need them.
    pub opens_all_connections: bool,
    /// On cores of its own it waits for the next request by looking at the clock: that CPU time is no work.
    pub busy_waits: bool,
    /// May a run that does not ask for slices have them? Not where the percentiles of slices cannot be added up.
    pub slices_by_default: bool,
    /// Does it search for the highest rate that keeps a latency (`load.kind` = `knee`)?
    pub searches: bool,
    /// Does it send the requests of a scenario file?
    pub takes_own_requests: bool,
    /// Does it run a script of somebody's own?
    pub runs_scripts: bool,
    /// Does it check `thresholds`?
    pub checks_thresholds: bool,
    /// It speaks HTTP/1.0: keep-alive is asked for in a header, and a response that is not kept ends with its connection.
    pub http_1_0: bool,
    /// For a load without keep-alive: it makes a new connection by itself, whether or not the server closes the old one.
    pub closes_itself: bool,
    /// When does it send a request again, and count nothing, because a reused connection ended before the response began?
    pub resends: Resends,
    pub head: RequestHead,
    /// What to do where another version is installed than the one that measured.
    pub another_version: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resends {
    Never,
    /// Not a POST.
    Gets,
}

/// The head of a request as the tool sends it, byte for byte. The verifier sends the same, so that no server can tell it from load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHead {
    /// The tool's own lines, after `Host`.
    pub own: &'static str,
    /// `Host` and the tool's own lines come last.
    pub host_last: bool,
    /// It says `Connection: keep-alive` where it asks for nothing else.
    pub says_keep_alive: bool,
    /// The two lines of a body as the tool writes them, in its order.
    pub body: [&'static str; 2],
    /// `None` where it speaks no WebSocket.
    pub handshake: Option<[HandshakeLine; 4]>,
}

/// A line of a WebSocket handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandshakeLine {
    Connection,
    Key,
    Upgrade,
    Version,
}

impl Profile {
    pub const COMMON: Self = Self {
        wall_clock: |_| false,
        reports_planned_time: false,
        times_from_due: false,
        opens_all_connections: false,
        busy_waits: false,
        slices_by_default: true,
        searches: false,
        takes_own_requests: true,
        runs_scripts: false,
        checks_thresholds: false,
        http_1_0: false,
        closes_itself: false,
        resends: Resends::Never,
        head: RequestHead::BARE,
        another_version: "install the version that measured",
    };
}

impl RequestHead {
    /// `Host` and nothing else.
    pub const BARE: Self = Self {
        own: "",
        host_last: false,
        says_keep_alive: false,
        body: ["Content-Type", "Content-Length"],
        handshake: None,
    };
}
