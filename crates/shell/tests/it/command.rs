//! The front door: what a line does in a context.

use hook_shell::layout::Layout;
use hook_shell::{Command, Context, Kind};

/// The lines with which a tree goes that would hold a guard's files, if there were one.
const TAKE_ALL: &[&str] =
    &["rm -rf /", "find / -delete", "git clean -fdx", "rm -rf ~", "set -- \"\"; rm -rf \"$@\" .", "mv . /tmp/x"];

/// What a small guard calls its own.
static LAYOUT: Layout = Layout { program: "watchman", in_project: &[".watch/"], ..Layout::NONE };

fn kinds(line: &str, context: &Context<'_>) -> Vec<Kind> {
    Command::parse(line).effects(context).actions.iter().map(|action| action.kind).collect()
}

#[test]
fn nothing_is_the_guards_where_no_layout_names_it() {
    let context = || Context::new(Some("/home/me"), Some("/home/me/project"), Some("/home/me/project"));
    for line in TAKE_ALL {
        let without = kinds(line, &context());
        assert!(!without.contains(&Kind::Guard) && !without.is_empty(), "{line}: {without:?}");
    }
    assert!(kinds("rm -rf .watch", &context().with_layout(&LAYOUT)).contains(&Kind::Guard));
}
