//! Rules for package registries: what is published, withdrawn or given away.

use super::{Family, Rule, ask, flags, unless, verbs, words};

/// Options with which `rake` shows its tasks, or what they would do.
const NO_TASK: &[&str] = &["-T", "--tasks", "-n", "--dry-run", "-D", "--describe", "-P", "--prereqs", "-W", "--where"];

pub(super) const RULES: &[Rule] = &[
    ask(
        "package-publish",
        Family::Registry,
        words(
            &[
                "npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv", "flit", "hatch", "pdm", "maturin", "wapm",
                "jsr", "deno", "lerna", "rush", "np", "changeset", "vsce", "ovsx", "mops", "dub", "rye", "shards",
                "nimble",
            ],
            &["publish|npm-publish"],
        ),
        "publishes a package, which cannot be taken back",
        &[
            "npm publish",
            "npm --registry https://r.example.com publish --access public",
            "pnpm -r publish",
            "cargo publish -p a",
            "uv publish",
            "npx lerna publish",
        ],
        &[
            "npm pack", "cargo publish --dry-run", "npm run publish:docs", "npm publish --dry-run", "cargo package",
            "cargo --version",
        ],
    ),
    ask(
        "package-publish-part",
        Family::Registry,
        words(&["yarn", "flutter", "dart", "rebar3"], &["npm|pub|hex", "publish|retire"]),
        "publishes a package, which cannot be taken back",
        &["yarn npm publish", "flutter pub publish", "dart pub publish --force", "rebar3 hex publish"],
        &["yarn npm info a", "flutter pub get", "dart pub publish --dry-run"],
    ),
    ask(
        "package-upload",
        Family::Registry,
        words(
            &[
                "twine", "anaconda", "luarocks", "maturin", "setup.py", "cabal", "stack", "clojars", "snapcraft",
                "charmcraft",
            ],
            &["upload|register|release"],
        ),
        "publishes a package, which cannot be taken back",
        &[
            "twine upload dist/a",
            "python -m twine upload --repository pypi dist/a",
            "python setup.py upload",
            "anaconda upload a.conda",
        ],
        &["twine check dist/a", "python setup.py sdist", "snapcraft list"],
    ),
    ask(
        "package-mix",
        Family::Registry,
        words(&["mix"], &["hex.publish|hex.retire|hex.owner"]),
        "publishes, retires or gives away a package",
        &["mix hex.publish --yes", "mix hex.retire a 1.0.0 security"],
        &["mix hex.info a", "mix test", "mix hex.publish --dry-run"],
    ),
    ask(
        "package-push",
        Family::Registry,
        words(&["gem", "nuget"], &["push|yank|delete"]),
        "publishes or withdraws a package",
        &["gem push a.gem", "gem yank a -v 1", "nuget push a.nupkg"],
        &["gem list", "gem build a.gemspec"],
    ),
    ask(
        "package-dotnet",
        Family::Registry,
        words(&["dotnet", "pod"], &["nuget|trunk", "push|delete|deprecate|remove-owner"]),
        "publishes or withdraws a package",
        &["dotnet nuget push a.nupkg", "pod trunk push A.podspec", "pod trunk delete A 1.0"],
        &["dotnet nuget list source", "pod trunk me", "pod install"],
    ),
    ask(
        "package-withdraw",
        Family::Registry,
        words(&["npm", "pnpm", "yarn", "cargo", "vsce", "deno"], &["unpublish|deprecate|yank|undeprecate"]),
        "withdraws a package that others may use",
        &["npm unpublish a --force", "cargo yank --version 1.0.0", "npm deprecate a x", "vsce unpublish p.a"],
        &["npm view a", "npm outdated"],
    ),
    ask(
        "package-owner",
        Family::Registry,
        words(
            &["npm", "pnpm", "yarn"],
            &[
                "owner|access|team|token|org|hook|dist-tag|dist-tags|author|profile",
                "rm|remove|revoke|destroy|add|grant|set|restricted|public|delete",
            ],
        ),
        "changes who owns a package, or what its names lead to",
        &["npm owner rm bob a", "npm access revoke a:b c", "npm dist-tag rm a beta", "npm token revoke 1"],
        &["npm owner ls a", "npm dist-tag ls a", "npm token list", "npm access list packages"],
    ),
    ask(
        "package-cargo-owner",
        Family::Registry,
        flags(&["cargo"], &["owner"], &["--remove", "-r", "--add", "-a"]),
        "changes who owns a package",
        &["cargo owner --remove bob", "cargo owner --add eve a"],
        &["cargo owner --list"],
    ),
    ask(
        "package-gem-owner",
        Family::Registry,
        flags(&["gem"], &["owner"], &["--remove", "-r", "--add", "-a"]),
        "changes who owns a package",
        &["gem owner a --remove bob@example.com"],
        &["gem owner a"],
    ),
    ask(
        "package-cargo-release",
        Family::Registry,
        flags(&["cargo", "cargo-release"], &["release"], &["--execute", "-x"]),
        "publishes a package, which cannot be taken back",
        &["cargo release minor --execute"],
        &["cargo release minor", "cargo build --release"],
    ),
    ask(
        "package-release-tool",
        Family::Registry,
        unless(
            &["goreleaser"],
            &["release|publish|announce"],
            &["--snapshot", "--skip=publish*", "--skip=*,publish*", "--skip-publish"],
        ),
        "publishes a release, which cannot be taken back",
        &["goreleaser release --clean"],
        &[
            "goreleaser build", "goreleaser check", "goreleaser release --snapshot --clean",
            "goreleaser release --skip=publish",
        ],
    ),
    ask(
        "package-semantic-release",
        Family::Registry,
        unless(
            &["semantic-release", "release-it", "multi-semantic-release"],
            &[],
            &["--dry-run", "-d", "--version", "--help"],
        ),
        "publishes a release, which cannot be taken back",
        &["npx semantic-release", "release-it minor --ci"],
        &["npx semantic-release --dry-run", "npm install semantic-release"],
    ),
    ask(
        "package-jvm",
        Family::Registry,
        words(
            &["mvn", "mvnw", "gradle", "gradlew", "sbt", "lein", "clj", "mill"],
            &[
                "deploy|release:perform|publish|publishallpublicationsto*|publishplugins|publishsigned|publishtosonatype|nexus-staging:release|uploadarchives",
            ],
        ),
        "publishes a package, which cannot be taken back",
        &["mvn deploy", "mvn -B release:perform", "./gradlew publish", "sbt publishSigned", "lein deploy clojars"],
        &["mvn install", "./gradlew publishToMavenLocal", "sbt publishLocal", "./gradlew publish --dry-run"],
    ),
    ask(
        "package-rake-release",
        Family::Registry,
        unless(&["rake"], &["release|release[*"], NO_TASK),
        "pushes a tag and publishes a gem, which cannot be taken back",
        &["bundle exec rake release"],
        &["rake build", "rake release:notes", "rake -T release", "rake install:local"],
    ),
    ask(
        "package-rake-tasks-release",
        Family::Registry,
        unless(&["rake"], &["*", "release|release[*"], NO_TASK),
        "pushes a tag and publishes a gem, which cannot be taken back",
        &["bundle exec rake build release", "rake spec release"],
        &["rake spec build", "rake -n spec release"],
    ),
    ask(
        "package-cargo-all",
        Family::Registry,
        words(&["cargo"], &["workspaces|ws", "publish"]),
        "publishes packages, which cannot be taken back",
        &["cargo workspaces publish --from-git", "cargo ws publish"],
        &["cargo workspaces list", "cargo ws version patch"],
    ),
    ask(
        "package-cargo-smart-release",
        Family::Registry,
        flags(&["cargo"], &["smart-release"], &["--execute", "-e"]),
        "publishes packages, which cannot be taken back",
        &["cargo smart-release --execute gix"],
        &["cargo smart-release gix"],
    ),
    ask(
        "package-key-plain",
        Family::Registry,
        // Whoever sits on the way can put in a key of theirs.
        flags(&["rpm", "rpmkeys", "apt-key"], &[], &["--import=http://*", "--fetch-keys=http://*"]),
        "trusts a key for packages that came over a connection which anybody on the way can change",
        &["rpm --import http://packages.acme.test/KEY", "apt-key adv --fetch-keys http://packages.acme.test/KEY"],
        &["rpm --import https://packages.acme.test/KEY", "rpm --import KEY", "rpm -qa gpg-pubkey", "apt-key list"],
    ),
    ask(
        "package-store-delete",
        Family::Registry,
        verbs(
            &[
                "jf", "jfrog", "cloudsmith", "gemfury", "fury", "nexus3", "pulp", "artifactory", "packagecloud",
                "package_cloud", "anaconda",
            ],
            3,
            "yank",
            &[&["config|c"], &["remote"]],
        ),
        "deletes packages from a store",
        &["jf rt delete repo/a", "cloudsmith delete o/r/a", "package_cloud yank o/r/a a.deb"],
        &["jf rt search repo/a", "cloudsmith list packages o/r"],
    ),
    Rule {
        off: true,
        ..ask(
            "package-create",
            Family::Registry,
            words(&["npm", "npx", "yarn", "pnpm", "bun", "bunx"], &["create|create-*"]),
            "runs a generator from the registry that nobody has looked at, over the files that are there",
            &["npm create vite@latest", "npx create-react-app app", "yarn create next-app", "pnpm create vite"],
            &["npm run create", "npx tsc", "yarn add create-thing", "pnpm install", "npm create --help"],
        )
    },
    Rule {
        off: true,
        ..ask(
            "package-core",
            Family::Registry,
            words(&["composer"], &["remove|rm", "drupal/core|drupal/core-*"]),
            "takes the system out of the project that is built on it",
            &["composer remove drupal/core", "composer remove drupal/core-recommended --no-update"],
            &["composer remove drupal/token", "composer require drupal/core"],
        )
    },
    Rule {
        off: true,
        ..ask(
            "package-force",
            Family::Registry,
            flags(&["npm"], &["install|i|ci|add"], &["--force", "-f"]),
            "installs packages over what their versions allow",
            &["npm install --force", "npm i -f left-pad"],
            &["npm install", "npm run build --force", "npm cache clean --force"],
        )
    },
    Rule {
        off: true,
        ..ask(
            "package-reinstall",
            Family::Registry,
            flags(&["pip", "pip3"], &["install"], &["--force-reinstall"]),
            "installs packages over those that are there",
            &["pip install --force-reinstall requests", "python3 -m pip install --force-reinstall requests"],
            &["pip install requests", "pip install -f https://x.test/wheels requests"],
        )
    },
];
