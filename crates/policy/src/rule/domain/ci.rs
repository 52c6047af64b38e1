//! Rules for continuous integration.

use super::{Family, Rule, ask, verbs, words};

pub(super) const RULES: &[Rule] = &[
    ask(
        "ci-delete",
        Family::Ci,
        verbs(
            &[
                "circleci", "gitlab-runner", "buildkite-agent", "bk", "travis", "drone", "woodpecker-cli",
                "woodpecker", "semaphore", "sem", "teamcity", "azdo", "act_runner", "spacelift", "spacectl",
                "buildbot", "agola", "codefresh", "appveyor", "cirrus", "depot", "nx-cloud", "octopus",
            ],
            3,
            "remove-secret|disable|wipe-workspace|stop|unlist*|unset|clear|cancel|pause",
            &[&["config"], &["local"], &["setup"], &["login"]],
        ),
        "deletes, stops or switches off a part of continuous integration",
        &[
            "circleci context delete github o c -f",
            "circleci context remove-secret github o c KEY",
            "circleci orb unlist a/b true",
            "gitlab-runner unregister --all-runners",
            "gitlab-runner stop",
            "drone repo disable a/b",
            "drone secret rm a/b --name X",
            "travis env unset X",
        ],
        &[
            "circleci config validate", "gitlab-runner list", "gitlab-runner verify", "drone build ls a/b",
            "travis status", "circleci local execute",
        ],
    ),
    ask(
        "ci-jenkins",
        Family::Ci,
        verbs(
            &["jenkins-cli", "jenkins", "jcli", "jenkins-jobs", "jenkins-job-builder", "jtr"],
            1,
            "disable-*|safe-shutdown|shutdown|quiet-down|safe-restart|restart|clear-queue|groovy|groovysh|offline-node|disconnect-node|wipe-*|remove-*|stop-builds|set-build-result|replay-pipeline",
            &[],
        ),
        "deletes, stops or switches off a part of Jenkins, or runs code in it",
        &[
            "jenkins-cli delete-job j",
            "java -jar jenkins-cli.jar -s https://ci.example.com delete-builds j 1-10",
            "jenkins-cli safe-shutdown",
            "jenkins-jobs delete a",
        ],
        &[
            "jenkins-cli list-jobs",
            "jenkins-cli build j",
            "java -jar jenkins-cli.jar -s https://ci.example.com who-am-i",
        ],
    ),
    ask(
        "ci-concourse",
        Family::Ci,
        words(
            &["fly"],
            &["destroy-pipeline|dp|destroy-team|dt|prune-worker|abort-build|ab|clear-task-cache|archive-pipeline"],
        ),
        "destroys a pipeline, team or worker",
        &["fly -t ci destroy-pipeline -p a -n"],
        &["fly -t ci pipelines"],
    ),
];
