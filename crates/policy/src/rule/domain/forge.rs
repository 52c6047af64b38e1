//! Rules for code forges.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::Command;

const FORGE: &[&str] =
    &["gh", "glab", "hub", "tea", "bb", "gitea", "forgejo", "fj", "lab", "berg", "gcli", "bkt", "bitbucket"];

/// Addresses under which a forge keeps who gets in.
const ACCESS: &str = "user/keys|/user/keys|user/gpg_keys|/user/gpg_keys|user/ssh_signing_keys|/user/ssh_signing_keys|repos/*/keys|/repos/*/keys|repos/*/collaborators/*|/repos/*/collaborators/*|orgs/*/memberships/*|/orgs/*/memberships/*|orgs/*/invitations|/orgs/*/invitations|*teams/*/memberships/*|*teams/*/repos/*|projects/*/members|/projects/*/members|groups/*/members|/groups/*/members|projects/*/deploy_keys|/projects/*/deploy_keys|projects/*/invitations|groups/*/invitations|projects/*/access_tokens";

pub(super) const RULES: &[Rule] = &[
    ask(
        "forge-delete",
        Family::Forge,
        verbs(
            FORGE,
            3,
            "archive|transfer|delete-asset|item-delete|field-delete|unlink|unarchive-off",
            &[
                &["alias"],
                &["extension|ext"],
                &["config"],
                &["auth"],
                &["pr"],
                &["search"],
                &["*", "list"],
                &["cs|codespace", "ssh"],
                &["check-update"],
                &["logins"],
            ],
        ),
        "deletes, archives or gives away something on a code forge",
        &[
            "gh repo delete a/b --yes", "gh -R a/b release delete v1", "glab release delete v1",
            "gh secret delete X --env prod", "gh run delete 1", "gh repo archive a/b", "glab variable delete FOO",
            "hub delete a/b", "tea releases delete v1",
        ],
        &[
            "gh pr list",
            "gh api repos/a/b",
            "gh release download v1",
            "gh issue list delete",
            "gh issue create --title 'delete repo' --body x",
            "gh alias delete co",
            "gh extension remove x",
            "gh pr close 1 --delete-branch",
            "gh search code delete",
        ],
    ),
    ask(
        "forge-secret-for-all",
        Family::Forge,
        flags(&["gh"], &["secret", "set"], &["--visibility=all", "-v=all"]),
        "gives a secret to every repository of an organization",
        &["gh secret set TOKEN --org acme --visibility all", "gh secret set TOKEN -o acme -v all < token"],
        &[
            "gh secret set TOKEN --org acme --visibility selected --repos shop",
            "gh secret set TOKEN -o acme -v private",
            "gh secret list --org acme",
        ],
    ),
    ask(
        "forge-gerrit-delete",
        Family::Forge,
        // The server's own shell knows this command of a plugin.
        words(&["deleteproject"], &["delete"]),
        "deletes a project on a code forge with its history",
        &["ssh -p 29418 review.acme.test deleteproject delete --yes-really-delete --force shop"],
        &["ssh -p 29418 review.acme.test gerrit ls-projects", "ssh -p 29418 review.acme.test gerrit query status:open"],
    ),
    ask(
        "forge-merge-past-checks",
        Family::Forge,
        flags(&["gh"], &["pr", "merge"], &["--admin"]),
        "merges past the checks and reviews that a branch demands",
        &["gh pr merge 12 --admin --squash"],
        &["gh pr merge 12 --squash", "gh pr merge --auto"],
    ),
    ask(
        "forge-keys",
        Family::Forge,
        words(FORGE, &["ssh-key|gpg-key|deploy-key", "add"]),
        "lets whoever holds a key log in",
        &["gh ssh-key add ~/.ssh/id_ed25519.pub"],
        &["gh ssh-key list", "gh gpg-key list"],
    ),
    ask(
        "forge-repo-keys",
        Family::Forge,
        words(&["gh", "glab"], &["repo|project", "deploy-key", "add"]),
        "lets whoever holds a key log in",
        &["gh repo deploy-key add k.pub --allow-write"],
        &["gh repo deploy-key list"],
    ),
    ask(
        "forge-access",
        Family::Forge,
        Pattern::Command(Command {
            programs: &["gh", "glab", "hub"],
            words: &["api", ACCESS],
            flags: &["-X=p*", "--method=p*", "--input", "-f", "-F", "--field", "--raw-field"],
            without: &["-X=get", "--method=get"],
        }),
        "gives somebody, or whoever holds a key, access to a code forge",
        &[
            "gh api repos/o/r/keys -f title=x -f key=y",
            "gh api -X PUT repos/o/r/collaborators/ann",
            "gh api user/keys -f key=y",
            "gh api --method PUT orgs/o/memberships/ann",
            "glab api projects/1/members -f user_id=2 -f access_level=40",
        ],
        &[
            "gh api repos/o/r/keys",
            "gh api repos/o/r/collaborators",
            "gh api user/keys",
            "gh api repos/o/r/issues -f title=keys",
            "gh api -X GET repos/o/r/keys -f per_page=100",
        ],
    ),
    ask(
        "forge-protection",
        Family::Forge,
        Pattern::Command(Command {
            programs: &["gh", "glab", "hub"],
            words: &[
                "api",
                "*/protection|*/protection/*|*/rulesets|*/rulesets/*|*/protected_branches|*/protected_branches/*",
            ],
            flags: &["-X=p*", "--method=p*", "--input", "-f", "-F", "--field", "--raw-field"],
            without: &["-X=get", "--method=get"],
        }),
        "changes what guards a branch",
        &["gh api -X PUT repos/o/r/branches/main/protection --input p.json"],
        &["gh api repos/o/r/branches/main/protection", "gh api -X GET repos/o/r/rulesets"],
    ),
    ask(
        "forge-disable",
        Family::Forge,
        words(FORGE, &["workflow|runner|runners|actions", "disable|pause"]),
        "switches off a part of a code forge",
        &["gh workflow disable ci.yml"],
        &["gh workflow list", "gh workflow enable ci.yml", "gh workflow run ci.yml"],
    ),
    ask(
        "forge-visibility",
        Family::Forge,
        flags(&["gh", "glab"], &["repo|project", "edit|update"], &["--visibility", "--public", "--private"]),
        "changes who can see a repository",
        &[
            "gh repo edit --visibility public",
            "gh repo edit a/b --visibility=public --accept-visibility-change-consequences",
        ],
        &["gh repo edit --description x"],
    ),
    ask(
        "forge-api-delete",
        Family::Forge,
        flags(
            &["gh", "glab", "hub", "tea", "cf", "auth0", "heroku", "fly", "sf", "okta"],
            &["api|rest|curl"],
            &["-X=delete", "--method=delete", "--request=delete"],
        ),
        "deletes something through an interface of a service",
        &[
            "gh api -X DELETE repos/a/b", "gh api repos/a/b --method=delete", "glab api --method delete projects/1",
            "gh api -XDELETE repos/a/b", "cf curl -X DELETE /v3/apps/a",
        ],
        &["gh api -X GET repos/a/b", "gh api repos/a/b", "gh api -X POST repos/a/b/issues -f title=DELETE"],
    ),
    ask(
        "forge-api-change",
        Family::Forge,
        flags(
            &["gh", "glab", "hub"],
            &["api"],
            &[
                "-f=archived=true", "-F=archived=true", "-F=private=false", "-f=private=false", "-f=visibility=public",
                "-F=visibility=public", "--field=archived=true", "--raw-field=visibility=public",
                "--field=private=false",
            ],
        ),
        "archives a repository, or changes who can see it",
        &["gh api -X PATCH repos/a/b -F archived=true", "gh api -X PATCH repos/a/b -f visibility=public"],
        &["gh api -X PATCH repos/a/b -f description=x"],
    ),
    ask(
        "forge-server",
        Family::Forge,
        words(
            &["gitlab-ctl", "gitlab-backup", "gitlab-rake"],
            &[
                "stop|kill|cleanse|uninstall|restore|gitlab:backup:restore|gitlab:setup|remove-accounts|gitlab:cleanup:*",
            ],
        ),
        "stops, empties or replaces a code forge",
        &["gitlab-ctl cleanse", "gitlab-ctl stop", "gitlab-backup restore BACKUP=1"],
        &["gitlab-ctl status", "gitlab-backup create"],
    ),
    ask(
        "forge-server-admin",
        Family::Forge,
        words(&["gitea", "forgejo"], &["admin", "user|auth|repo", "delete|remove"]),
        "deletes a user or source of users of a code forge",
        &["gitea admin user delete --username bob"],
        &["gitea admin user list"],
    ),
];
