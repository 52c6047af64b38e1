//! Cmdlets of PowerShell, as commands of a POSIX shell that do the same.
//!
//! A row names a cmdlet, its aliases and its parameters, and the command that stands for it. In a command, `{path}` is the value of a
//! parameter as paths, `{=value}` the value as it stands, `{-o outfile}` an option with that value and `{-r recurse}` an option alone
//! where the switch is given. What is not given leaves nothing behind.

/// What a cmdlet does beyond what a command can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Its command.
    Plain,
    /// Removes items.
    Remove,
    /// Lists items.
    List,
    /// Names items.
    Name,
    /// Names an item below a directory.
    Join,
    /// Makes an item.
    New,
    /// Gives an item another name in its directory.
    Rename,
    /// Writes into a file, or adds to it.
    Write,
    /// Runs a block for each item.
    ForEach,
    /// Passes on the items that fit.
    Where,
    /// Takes the first, the last, or other items.
    Select,
    /// Starts a program.
    Start,
    /// Sends a request.
    Request,
    /// Runs a text as PowerShell.
    Expression,
    /// Runs a file or module where a path names it.
    Module,
    /// Runs the blocks that it is given.
    Block,
    /// Sets a variable.
    Variable,
    /// Gives a command another name.
    Alias,
    /// Changes an entry of the registry.
    Registry,
    /// Makes an object of a class.
    Object,
    /// Ends processes.
    Stop,
    /// Passes on what comes in.
    Pass,
    /// Prints its arguments.
    Print,
    /// Prints nothing.
    Silent,
    /// It is a program of the catalogue under its own name.
    Own,
}

/// A row.
#[derive(Debug)]
pub(crate) struct Cmdlet {
    /// Its name and aliases.
    pub(crate) names: &'static [&'static str],
    /// Parameters with a value.
    pub(crate) values: &'static [&'static str],
    /// Parameters without one.
    pub(crate) switches: &'static [&'static str],
    /// The parameters that arguments without a name are for.
    pub(crate) positions: &'static [&'static str],
    /// The command.
    pub(crate) command: &'static str,
    /// The command where the items come from a pipe.
    pub(crate) piped: &'static str,
    /// What it does.
    pub(crate) act: Act,
}

const fn cmdlet(names: &'static [&'static str], act: Act) -> Cmdlet {
    Cmdlet { names, values: &[], switches: &[], positions: &[], command: "", piped: "", act }
}

const fn plain(names: &'static [&'static str], command: &'static str) -> Cmdlet {
    Cmdlet { command, piped: command, ..cmdlet(names, Act::Plain) }
}

/// Parameters of most cmdlets with a value.
pub(crate) const COMMON_VALUES: &[&str] = &[
    "erroraction", "ea", "warningaction", "wa", "informationaction", "errorvariable", "outvariable", "ov", "outbuffer",
    "pipelinevariable", "credential", "progressaction",
];

/// Parameters of most cmdlets without one.
pub(crate) const COMMON_SWITCHES: &[&str] = &["verbose", "debug", "confirm", "whatif", "wi", "force", "passthru"];

const ITEMS: &[&str] = &["path", "literalpath", "filter", "include", "exclude", "stream", "lp", "pspath"];
const PATH: &[&str] = &["path"];
const TEXT: &[&str] =
    &["path", "literalpath", "value", "encoding", "filepath", "inputobject", "width", "delimiter", "append"];

const CMDLETS: &[Cmdlet] = &[
    Cmdlet {
        values: ITEMS,
        switches: &["recurse", "force"],
        positions: PATH,
        ..cmdlet(&["remove-item", "ri", "rm", "del", "erase", "rd", "rmdir", "clear-item", "cli"], Act::Remove)
    },
    Cmdlet {
        values: ITEMS,
        switches: &["force"],
        positions: PATH,
        piped: "xargs -d '\\n' truncate -s 0",
        ..plain(&["clear-content", "clc"], "truncate -s 0 {path}")
    },
    Cmdlet {
        values: &["path", "literalpath", "destination", "filter", "include", "exclude"],
        positions: &["path", "destination"],
        piped: "xargs -d '\\n' mv -t {destination}",
        ..plain(&["move-item", "mi", "mv", "move"], "mv {path} {destination}")
    },
    Cmdlet {
        values: &["path", "literalpath", "newname"],
        positions: &["path", "newname"],
        ..cmdlet(&["rename-item", "rni", "ren"], Act::Rename)
    },
    Cmdlet {
        values: &["path", "literalpath", "destination", "filter", "include", "exclude", "tosession", "fromsession"],
        switches: &["recurse", "container"],
        positions: &["path", "destination"],
        piped: "xargs -d '\\n' cp {-r recurse} -t {destination}",
        ..plain(&["copy-item", "cpi", "cp", "copy"], "cp {-r recurse} {path} {destination}")
    },
    Cmdlet {
        values: &[
            "path", "literalpath", "totalcount", "first", "head", "tail", "last", "encoding", "delimiter", "readcount",
            "stream", "filter", "include", "exclude",
        ],
        switches: &["raw", "wait", "asbytestream"],
        positions: PATH,
        piped: "xargs -d '\\n' cat",
        ..plain(
            &["get-content", "gc", "cat", "type", "import-csv", "ipcsv", "import-clixml", "import-powershelldatafile"],
            "cat {path}",
        )
    },
    Cmdlet {
        values: TEXT,
        switches: &["nonewline", "force", "noclobber"],
        positions: &["path", "value"],
        command: ">",
        ..cmdlet(&["set-content", "sc"], Act::Write)
    },
    Cmdlet {
        values: TEXT,
        switches: &["nonewline", "force"],
        positions: &["path", "value"],
        command: ">>",
        ..cmdlet(&["add-content", "ac"], Act::Write)
    },
    Cmdlet {
        values: &["filepath", "literalpath", "encoding", "width", "inputobject", "path", "delimiter", "depth"],
        switches: &["append", "force", "noclobber", "nonewline", "notypeinformation", "notype"],
        positions: &["filepath", "encoding"],
        command: ">",
        ..cmdlet(&["out-file", "export-csv", "epcsv", "export-clixml"], Act::Write)
    },
    Cmdlet {
        values: &["filepath", "literalpath", "variable", "inputobject", "encoding"],
        switches: &["append"],
        positions: &["filepath"],
        command: "printf '%s\\n' {=inputobject} | tee {-a append} {filepath}",
        piped: "tee {-a append} {filepath}",
        ..cmdlet(&["tee-object", "tee"], Act::Plain)
    },
    Cmdlet {
        values: &["path", "name", "itemtype", "type", "value", "target"],
        switches: &["force"],
        positions: PATH,
        ..cmdlet(&["new-item", "ni"], Act::New)
    },
    Cmdlet { values: &["path", "name"], positions: PATH, ..plain(&["mkdir", "md"], "mkdir -p {path}") },
    Cmdlet {
        values: &["path", "literalpath", "filter", "include", "exclude", "depth", "attributes"],
        switches: &[
            "recurse", "file", "directory", "ad", "af", "force", "name", "hidden", "readonly", "system",
            "followsymlink",
        ],
        positions: &["path", "filter"],
        ..cmdlet(&["get-childitem", "gci", "ls", "dir"], Act::List)
    },
    Cmdlet {
        values: ITEMS,
        switches: &["relative", "force"],
        positions: PATH,
        ..cmdlet(
            &[
                "get-item", "gi", "resolve-path", "rvpa", "convert-path", "cvpa", "get-itemproperty", "gp",
                "get-itempropertyvalue", "gpv",
            ],
            Act::Name,
        )
    },
    Cmdlet {
        values: &["path", "literalpath", "pathtype", "filter", "include", "exclude"],
        switches: &["isvalid"],
        positions: PATH,
        piped: "cat > /dev/null",
        ..plain(&["test-path"], "test -e {path}")
    },
    Cmdlet {
        values: &["pattern", "path", "literalpath", "include", "exclude", "context", "encoding", "inputobject"],
        switches: &["allmatches", "casesensitive", "list", "quiet", "raw", "simplematch", "notmatch", "noemphasis"],
        positions: &["pattern", "path"],
        piped: "grep {-v notmatch} -e {=pattern}",
        ..plain(&["select-string", "sls"], "grep {-q quiet} {-l list} {-v notmatch} -e {=pattern} {path}")
    },
    Cmdlet {
        values: &["process", "begin", "end", "parallel", "membername", "argumentlist", "throttlelimit", "inputobject"],
        positions: &["process"],
        ..cmdlet(&["foreach-object", "%", "foreach"], Act::ForEach)
    },
    Cmdlet {
        values: &["filterscript", "property", "value", "inputobject"],
        switches: &[
            "eq", "ne", "like", "notlike", "match", "notmatch", "gt", "lt", "ge", "le", "in", "contains", "not",
        ],
        positions: &["filterscript", "value"],
        ..cmdlet(&["where-object", "where", "?"], Act::Where)
    },
    Cmdlet {
        values: &[
            "property", "first", "last", "skip", "skiplast", "index", "expandproperty", "excludeproperty",
            "inputobject",
        ],
        switches: &["unique", "wait"],
        positions: &["property"],
        ..cmdlet(&["select-object", "select"], Act::Select)
    },
    Cmdlet { piped: "wc -l", ..plain(&["measure-object", "measure"], ":") },
    Cmdlet { piped: "cat > /dev/null", ..plain(&["out-null", "set-clipboard", "scb", "out-printer"], ":") },
    Cmdlet {
        values: &["path", "stackname", "literalpath"],
        positions: PATH,
        ..plain(&["set-location", "sl", "cd", "chdir"], "cd {path}")
    },
    Cmdlet { values: &["path", "literalpath"], positions: PATH, ..plain(&["push-location", "pushd"], "pushd {path}") },
    plain(&["pop-location", "popd"], "popd"),
    plain(&["get-location", "gl", "pwd"], "pwd"),
    Cmdlet {
        values: &[
            "uri", "method", "body", "infile", "outfile", "headers", "form", "contenttype", "useragent", "timeoutsec",
            "websession", "sessionvariable", "proxy", "token", "authentication", "maximumredirection", "certificate",
            "custommethod", "transferencoding", "maximumretrycount", "retryintervalsec", "source", "destination",
            "transfertype",
        ],
        switches: &["usebasicparsing", "skipcertificatecheck", "usedefaultcredentials", "disablekeepalive", "resume"],
        positions: &["uri", "method"],
        ..cmdlet(&["invoke-webrequest", "iwr", "invoke-restmethod", "irm"], Act::Request)
    },
    Cmdlet {
        values: &["source", "destination", "transfertype", "displayname", "priority", "description"],
        switches: &["asynchronous"],
        positions: &["source", "destination"],
        ..cmdlet(&["start-bitstransfer"], Act::Request)
    },
    Cmdlet { values: &["command"], positions: &["command"], ..cmdlet(&["invoke-expression", "iex"], Act::Expression) },
    Cmdlet {
        values: &["typedefinition", "memberdefinition", "name", "path", "assemblyname", "language", "namespace"],
        positions: &["typedefinition"],
        piped: "node -",
        ..plain(&["add-type"], "node {-e typedefinition} {-e memberdefinition}")
    },
    Cmdlet { values: &["name"], positions: &["name"], ..cmdlet(&["import-module", "ipmo"], Act::Module) },
    Cmdlet {
        values: &[
            "filepath", "argumentlist", "args", "verb", "workingdirectory", "windowstyle", "redirectstandardoutput",
            "redirectstandarderror", "redirectstandardinput",
        ],
        switches: &["nonewwindow", "wait", "usenewenvironment", "loaduserprofile"],
        positions: &["filepath", "argumentlist"],
        ..cmdlet(&["start-process", "saps", "start"], Act::Start)
    },
    Cmdlet {
        values: &[
            "scriptblock", "command", "filepath", "computername", "cn", "session", "argumentlist", "args", "name",
            "inputobject", "expression", "initializationscript", "definitionname", "hostname", "username",
        ],
        switches: &["asjob"],
        positions: &["scriptblock"],
        ..cmdlet(
            &["invoke-command", "icm", "start-job", "sajb", "start-threadjob", "measure-command", "trace-command"],
            Act::Block,
        )
    },
    Cmdlet {
        values: &["name", "id", "inputobject"],
        switches: &["force"],
        positions: &["id"],
        ..cmdlet(&["stop-process", "spps", "kill"], Act::Stop)
    },
    Cmdlet {
        values: &["name", "id", "computername"],
        switches: &["includeusername", "module"],
        positions: &["name"],
        ..plain(&["get-process", "gps", "ps"], "pgrep {=name}")
    },
    Cmdlet {
        values: &["localport", "remoteport", "state", "localaddress", "owningprocess"],
        positions: &["localaddress"],
        ..plain(&["get-nettcpconnection"], "lsof -ti:{=localport}")
    },
    Cmdlet {
        values: &["name", "displayname"],
        positions: &["name"],
        ..plain(&["stop-service", "spsv"], "systemctl stop {=name}")
    },
    Cmdlet {
        values: &["name", "displayname"],
        positions: &["name"],
        ..plain(&["start-service", "sasv"], "systemctl start {=name}")
    },
    Cmdlet {
        values: &["name", "displayname"],
        positions: &["name"],
        ..plain(&["restart-service"], "systemctl restart {=name}")
    },
    Cmdlet {
        values: &["path", "literalpath", "name", "value", "propertytype", "type"],
        positions: &["path", "name", "value"],
        command: "add",
        ..cmdlet(&["set-itemproperty", "sp", "new-itemproperty"], Act::Registry)
    },
    Cmdlet {
        values: &["path", "literalpath", "name"],
        positions: &["path", "name"],
        command: "delete",
        ..cmdlet(&["remove-itemproperty", "rp", "clear-itemproperty", "clp"], Act::Registry)
    },
    Cmdlet {
        values: &["path", "literalpath", "destinationpath", "compressionlevel"],
        switches: &["update"],
        positions: &["path", "destinationpath"],
        piped: "zip {destinationpath} -@",
        ..plain(&["compress-archive"], "zip -r {destinationpath} {path}")
    },
    Cmdlet {
        values: &["path", "literalpath", "destinationpath"],
        positions: &["path", "destinationpath"],
        ..plain(&["expand-archive"], "unzip {path} {-d destinationpath}")
    },
    Cmdlet {
        values: &["path", "childpath", "additionalchildpath"],
        switches: &["resolve"],
        positions: &["path", "childpath"],
        ..cmdlet(&["join-path"], Act::Join)
    },
    Cmdlet {
        values: &["path", "literalpath"],
        switches: &["leaf", "parent", "leafbase", "extension", "qualifier"],
        positions: PATH,
        ..plain(&["split-path"], "dirname {path}")
    },
    Cmdlet {
        values: &["typename", "argumentlist", "args", "comobject", "property"],
        positions: &["typename", "argumentlist"],
        ..cmdlet(&["new-object"], Act::Object)
    },
    Cmdlet {
        values: &["name", "value", "scope", "option", "description"],
        positions: &["name", "value"],
        ..cmdlet(&["set-variable", "sv", "new-variable", "nv"], Act::Variable)
    },
    Cmdlet { values: &["name", "valueonly"], positions: &["name"], ..cmdlet(&["get-variable", "gv"], Act::Silent) },
    Cmdlet {
        values: &["name", "value", "scope", "option", "description"],
        positions: &["name", "value"],
        ..cmdlet(&["set-alias", "sal", "new-alias", "nal"], Act::Alias)
    },
    Cmdlet {
        values: &["seconds", "milliseconds"],
        positions: &["seconds"],
        ..plain(&["start-sleep", "sleep"], "sleep {=seconds}")
    },
    Cmdlet {
        values: &["attachments", "to", "from", "subject", "body", "smtpserver", "port", "cc", "bcc"],
        switches: &["usessl", "bodyashtml"],
        positions: &["to", "subject"],
        ..plain(&["send-mailmessage"], "printf '%s\\n' {=body} | mail {-a attachments} {=to}")
    },
    plain(&["clear-history", "clhy"], "history -c"),
    plain(&["stop-computer"], "shutdown now"),
    plain(&["restart-computer"], "reboot"),
    cmdlet(&["write-output", "echo", "write", "write-host", "write-information"], Act::Print),
    cmdlet(
        &[
            "out-string", "out-host", "oh", "out-default", "format-table", "ft", "format-list", "fl", "format-wide",
            "fw", "format-custom", "format-hex", "fhx", "convertto-json", "convertfrom-json", "convertto-csv",
            "convertfrom-csv", "convertto-xml", "convertto-html", "convertfrom-stringdata", "group-object", "group",
            "sort-object", "sort", "get-unique", "gu", "out-gridview", "convertfrom-yaml", "convertto-yaml",
            "join-string",
        ],
        Act::Pass,
    ),
    cmdlet(
        &[
            "write-verbose", "write-debug", "write-warning", "write-error", "write-progress", "remove-variable", "rv",
            "remove-module", "rmo", "remove-job", "rjb", "remove-pssession", "rsn", "remove-alias", "remove-event",
            "remove-psdrive", "clear-variable", "clv", "clear-host", "cls", "clear", "set-strictmode", "set-psdebug",
            "remove-typedata", "compare-object", "diff", "set-psreadlineoption", "read-host", "set-date", "new-guid",
            "new-timespan", "new-pssession", "new-psdrive", "new-temporaryfile", "pause",
        ],
        Act::Silent,
    ),
    cmdlet(
        &[
            "format-volume", "clear-disk", "remove-partition", "initialize-disk", "clear-recyclebin", "clear-eventlog",
            "remove-eventlog", "limit-eventlog", "set-executionpolicy", "new-service", "remove-service", "set-service",
            "register-scheduledtask", "unregister-scheduledtask", "register-scheduledjob", "register-wmievent",
            "register-cimindicationevent", "set-mppreference", "add-mppreference", "remove-mppreference",
            "set-netfirewallprofile", "disable-netfirewallrule", "remove-netfirewallrule", "new-netfirewallrule",
            "new-localuser", "remove-localuser", "set-localuser", "disable-localuser", "enable-localuser",
            "add-localgroupmember", "remove-localgroupmember", "enable-psremoting", "disable-bitlocker",
            "disable-computerrestore", "disable-windowsoptionalfeature", "uninstall-windowsfeature", "remove-computer",
            "rename-computer", "set-acl", "disable-scheduledtask", "remove-appxpackage",
            "remove-appxprovisionedpackage", "remove-windowspackage",
        ],
        Act::Own,
    ),
];

/// The cmdlet of that name or alias.
pub(crate) fn find(name: &str) -> Option<&'static Cmdlet> {
    CMDLETS.iter().find(|cmdlet| cmdlet.names.contains(&name))
}

/// Whether a name that is an alias is the program of that name where these words follow it.
pub(crate) fn is_program(name: &str, verb: &str) -> bool {
    name == "sc" && matches!(verb, "create" | "delete" | "config" | "start" | "stop" | "query" | "failure" | "sdset")
}

/// Drives that hold no files.
pub(crate) const DRIVES: &[&str] =
    &["env", "hklm", "hkcu", "hkcr", "hku", "registry", "alias", "variable", "function", "cert", "wsman"];

/// Beginnings of names of cmdlets that look at something and change nothing.
const LOOKS: &[&str] = &[
    "get-", "test-", "measure-", "format-", "convertto-", "convertfrom-", "find-", "search-", "resolve-", "join-",
    "split-", "select-", "sort-", "group-", "compare-", "where-", "wait-", "show-", "out-", "assert-", "confirm-",
    "import-", "write-", "receive-", "debug-",
];

/// Whether a cmdlet without a row looks at something and changes nothing.
pub(crate) fn looks(name: &str) -> bool {
    LOOKS.iter().any(|verb| name.starts_with(verb))
}

/// What names of cmdlets for a cloud have behind their verb, and the cloud's own program.
const CLOUDS: &[(&str, &[&str])] = &[
    ("az", &["az", "azurerm"]),
    (
        "aws",
        &[
            "s3bucket", "s3object", "ec2", "rds", "ddb", "cfnstack", "lmfunction", "iam", "ecr", "ecs", "eks", "elb",
            "sqs", "sns", "kms", "secsecret", "r53", "asauto", "efs", "fsx", "ebs",
        ],
    ),
    ("gcloud", &["gcs", "gce", "gcsql"]),
];

/// What a cmdlet that removes something of a cloud is for the cloud's own program: `az`, `resourcegroup`.
pub(crate) fn removes_of_cloud(name: &str) -> Option<(&'static str, &str)> {
    let of = name.strip_prefix("remove-")?;
    let (program, begin) = CLOUDS.iter().find_map(|(program, begins)| {
        begins.iter().rev().find(|begin| of.starts_with(**begin)).map(|begin| (*program, *begin))
    })?;
    let noun = if program == "az" { of.get(begin.len()..)? } else { of };
    Some((program, noun)).filter(|(_, noun)| !noun.is_empty())
}

/// Classes with functions that work on files, as commands; `{0}` and `{1}` are arguments, as paths; `{=1}` as they stand.
const CALLS: &[(&str, &[&str], &str)] = &[
    ("io.file", &["delete"], "rm {0}"),
    (
        "io.file",
        &[
            "readall", "openread", "opentext", "readlines", "readalltext", "readallbytes", "readalllines",
            "readalltextasync",
        ],
        "cat {0}",
    ),
    ("io.file", &["writealltext", "writeallbytes", "writealllines", "writealltextasync"], "printf '%s' {=1} > {0}"),
    ("io.file", &["create", "createtext", "openwrite", "open"], ": > {0}"),
    ("io.file", &["appendalltext", "appendalllines", "appendtext"], "printf '%s' {=1} >> {0}"),
    ("io.file", &["copy"], "cp {0} {1}"),
    ("io.file", &["move", "replace"], "mv {0} {1}"),
    ("io.file", &["exists"], "test -e {0}"),
    ("io.file", &["createsymboliclink"], "ln -s {1} {0}"),
    ("io.directory", &["delete"], "rm -r {0}"),
    ("io.directory", &["move"], "mv {0} {1}"),
    ("io.directory", &["createdirectory"], "mkdir -p {0}"),
    ("io.directory", &["exists"], "test -e {0}"),
    ("io.directory", &["setcurrentdirectory"], "cd {0}"),
    (
        "io.directory",
        &["getfiles", "getdirectories", "enumeratefiles", "enumeratedirectories", "getfilesystementries"],
        "find {0} -mindepth 1 -maxdepth 1",
    ),
    ("io.path", &["getfullpath"], "printf '%s\\n' {0}"),
    ("io.path", &["gettemppath"], "printf '/tmp\\n'"),
    ("io.path", &["gettempfilename"], "mktemp"),
    ("io.path", &["getdirectoryname"], "dirname {0}"),
    ("io.path", &["getfilename", "getfilenamewithoutextension"], "basename {0}"),
    ("io.compression.zipfile", &["createfromdirectory"], "zip -r {1} {0}"),
    ("io.compression.zipfile", &["extracttodirectory"], "unzip {0} -d {1}"),
    ("environment", &["getenvironmentvariables"], "printenv"),
    ("environment", &["getenvironmentvariable"], "printenv {=0}"),
    ("environment", &["setenvironmentvariable"], "export {=0}={=1}"),
    ("convert", &["tobase64string"], "printf '%s' {=0} | base64"),
    ("convert", &["frombase64string"], "printf '%s' {=0} | base64 -d"),
    ("diagnostics.process", &["start"], "{0} {1}"),
    ("reflection.assembly", &["load", "loadfile", "loadfrom", "unsafeloadfrom"], "node -e {=0}"),
];

/// Methods of objects; `{this}` is the object, as paths.
const METHODS: &[(&[&str], &str)] = &[
    (&["delete"], "rm -r {this}"),
    (&["moveto"], "mv {this} {0}"),
    (&["copyto"], "cp {this} {0}"),
    (&["kill"], "kill {this}"),
    (
        &[
            "downloadstring", "downloaddata", "openread", "getstringasync", "getasync", "getbytearrayasync",
            "getstreamasync",
        ],
        "curl -s {=0}",
    ),
    (&["downloadfile", "downloadfileasync", "downloadfiletaskasync"], "curl -s -o {1} {=0}"),
    (&["uploadfile", "uploadfileasync", "uploadfiletaskasync"], "curl -T {last} {=0}"),
    (
        &["uploadstring", "uploaddata", "uploadvalues", "uploadstringasync", "postasync", "putasync"],
        "curl -d {=last} {=0}",
    ),
];

/// The command that a function of a class stands for.
pub(crate) fn call(class: &str, function: &str) -> Option<&'static str> {
    CALLS.iter().find(|(of, names, _)| *of == class && names.contains(&function)).map(|(.., command)| *command)
}

/// The command that a method stands for.
pub(crate) fn method(name: &str) -> Option<&'static str> {
    METHODS.iter().find(|(names, _)| names.contains(&name)).map(|(_, command)| *command)
}

/// Commands of `cmd.exe`, and those of a POSIX shell that do the same.
const CMD: &[(&[&str], &str)] = &[
    (&["rd", "rmdir", "del", "erase", "deltree"], "rm"),
    (&["type"], "cat"),
    (&["copy", "xcopy"], "cp"),
    (&["move", "ren", "rename"], "mv"),
    (&["md", "mkdir"], "mkdir -p"),
    (&["dir"], "ls"),
    (&["cd", "chdir", "pushd"], "cd"),
    (&["set"], "set"),
    (&["if"], "if"),
    (&["call", "start", "else", "do"], "call"),
    (&["rem", "setlocal", "endlocal", "pause", "cls", "title", "color", "exit", "ver", "chcp"], ":"),
    (&["mklink"], "ln -s"),
];

/// What does the same as a command of `cmd.exe`.
pub(crate) fn of_cmd(name: &str) -> Option<&'static str> {
    CMD.iter().find(|(names, _)| names.contains(&name)).map(|(_, command)| *command)
}
