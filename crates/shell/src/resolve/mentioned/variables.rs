//! Variables and options by which programs name files, whatever the program.

/// Variables that name the place where a program puts what it makes.
pub(super) const PLACES: &[&str] = &[
    "GEM_HOME", "GIT_TRACE", "GIT_TRACE_CURL", "GIT_TRACE_SETUP", "GIT_TRACE_PACKET", "GIT_TRACE_REFS",
    "GIT_TRACE_PACKFILE", "GIT_TRACE_PERFORMANCE", "GIT_TRACE_SHALLOW", "GIT_TRACE2", "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF", "GOBIN", "GOPATH", "PIP_ROOT", "BUNDLE_PATH", "BUN_INSTALL", "CARGO_BUILD_TARGET_DIR",
    "CARGO_HOME", "CARGO_INSTALL_ROOT", "CARGO_TARGET_DIR", "DENO_INSTALL_ROOT", "NPM_CONFIG_PREFIX", "PIPX_BIN_DIR",
    "PIPX_HOME", "PIP_PREFIX", "PIP_TARGET", "PNPM_HOME", "PYTHONUSERBASE", "UV_PROJECT_ENVIRONMENT",
    "UV_TOOL_BIN_DIR", "UV_TOOL_DIR", "npm_config_cache", "npm_config_prefix",
];

/// Options with which programs that otherwise read name a file that they write.
pub(super) const OUTPUTS: &[&str] = &[
    "--out", "--output", "-O", "-b", "-o", "-r", "--baseline", "--log-file", "--logfile-path", "--outfile",
    "--output-file", "--report-file", "--report-path", "--temp-path",
];

/// Options by which a language is given code, and many programs a command of theirs.
pub(super) const CODE: &[&str] = &[
    "--cmd", "--eval", "--exec", "--expr", "--run", "-E", "-R", "-c", "-e", "-eval", "-exec", "-q", "-r", "-x",
    "--command", "--execute", "--expression",
];
