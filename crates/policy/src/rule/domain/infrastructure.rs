//! Rules for infrastructure as code and configuration management.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::Text;

const TERRAFORM: &[&str] = &["terraform", "tofu", "terragrunt", "opentofu", "tf", "terramate", "atmos"];

pub(super) const RULES: &[Rule] = &[
    ask(
        "infrastructure-destroy",
        Family::Infrastructure,
        words(TERRAFORM, &["destroy|destroy-all"]),
        "destroys infrastructure",
        &["terraform destroy", "terraform -chdir=prod destroy -auto-approve", "tofu destroy -target=a.b", "tf destroy"],
        &["terraform plan", "terraform plan -destroy", "terraform apply", "terraform destroy -help"],
    ),
    ask(
        "infrastructure-apply-destroy",
        Family::Infrastructure,
        flags(TERRAFORM, &["apply"], &["-destroy", "--destroy"]),
        "destroys infrastructure",
        &[
            "terraform apply -destroy",
            "terraform apply -auto-approve -destroy",
            "TF_CLI_ARGS_apply=-destroy terraform apply",
            "terraform plan -destroy -out=x.plan && terraform apply x.plan",
        ],
        &[
            "terraform apply",
            "terraform apply -destroy=false",
            "TF_CLI_ARGS=-no-color terraform apply",
            "TF_CLI_ARGS_apply=-destroy terraform plan",
            "terraform plan -out=x.plan && terraform apply x.plan",
        ],
    ),
    ask(
        "infrastructure-apply-production",
        Family::Infrastructure,
        flags(
            TERRAFORM,
            &["apply"],
            &[
                "-var-file=*prod.tfvars*", "-var-file=*production.tfvars*", "-var-file=*prod/*",
                "-var-file=*production/*", "--var-file=*prod.tfvars*", "--var-file=*production.tfvars*",
                "--var-file=*prod/*", "--var-file=*production/*",
            ],
        ),
        "changes infrastructure in production",
        &["terraform apply -auto-approve -var-file=prod.tfvars", "tofu apply -var-file env/production.tfvars"],
        &[
            "terraform apply -auto-approve -var-file=dev.tfvars",
            "terraform apply -var-file=product.tfvars",
            "terraform plan -var-file=prod.tfvars",
            "terraform apply -auto-approve",
        ],
    ),
    ask(
        "infrastructure-replace",
        Family::Infrastructure,
        flags(TERRAFORM, &["apply"], &["-replace", "--replace"]),
        "destroys a resource and rebuilds it",
        &["terraform apply -replace=aws_db_instance.main", "tofu apply -auto-approve -replace aws_instance.a"],
        &["terraform plan -replace=aws_instance.a", "terraform apply"],
    ),
    ask(
        "infrastructure-run-all",
        Family::Infrastructure,
        words(&["terragrunt", "terramate", "atmos"], &["run-all|run|stack|terraform", "destroy"]),
        "destroys infrastructure",
        &["terragrunt run-all destroy", "terragrunt run --all destroy", "atmos terraform destroy vpc"],
        &["terragrunt run-all plan", "atmos terraform plan vpc"],
    ),
    ask(
        "infrastructure-state",
        Family::Infrastructure,
        words(TERRAFORM, &["state|workspace", "rm|push|delete|replace-provider"]),
        "makes the tool forget what it runs, or replaces what it knows",
        &["terraform state rm aws_instance.a", "terraform workspace delete staging", "tofu state push a.tfstate"],
        &["terraform state list", "terraform state show a.b", "terraform workspace select dev"],
    ),
    ask(
        "infrastructure-taint",
        Family::Infrastructure,
        words(TERRAFORM, &["taint|force-unlock"]),
        "marks a resource for destruction, or takes another's lock away",
        &["terraform taint aws_instance.a", "terraform force-unlock -force 1"],
        &["terraform untaint aws_instance.a"],
    ),
    ask(
        "infrastructure-pulumi",
        Family::Infrastructure,
        verbs(&["pulumi"], 2, "cancel|down|dn", &[&["plugin"], &["config"], &["stack", "tag"], &["logout"]]),
        "destroys infrastructure, or makes the tool forget it",
        &["pulumi destroy --yes", "pulumi -C infra stack rm dev", "pulumi state delete urn"],
        &["pulumi preview", "pulumi up", "pulumi stack ls", "pulumi config rm key"],
    ),
    ask(
        "infrastructure-stack",
        Family::Infrastructure,
        verbs(
            &[
                "cdk", "cdktf", "sam", "serverless", "sls", "copilot", "sst", "amplify", "architect", "arc", "chalice",
                "zappa", "sceptre", "rain", "azd", "faas-cli", "nuctl",
            ],
            2,
            "down",
            &[],
        ),
        "deletes a deployed stack with its resources",
        &[
            "cdk destroy", "npx cdk destroy --all --force", "sam delete --stack-name a",
            "serverless remove --stage prod", "azd down",
        ],
        &["cdk diff", "cdk deploy", "sam build", "sls deploy", "azd up"],
    ),
    ask(
        "infrastructure-nuke",
        Family::Infrastructure,
        words(&["aws-nuke", "cloud-nuke", "azure-nuke", "gcp-nuke", "gcloud-nuke"], &[]),
        "deletes everything in a cloud account",
        &["aws-nuke run -c a.yml --no-dry-run", "cloud-nuke aws"],
        &["aws-nuke --help", "cloud-nuke --version"],
    ),
    ask(
        "infrastructure-machine",
        Family::Infrastructure,
        verbs(
            &[
                "vagrant", "nixops", "kamal", "dokku", "juju", "bosh", "knife", "puppet", "puppetserver", "cap",
                "rundeck", "foreman", "hammer", "maas",
            ],
            3,
            "kill-controller|unprovision|clean-up",
            &[&["box"], &["plugin"], &["config"], &["module"], &["app|proxy", "reboot"]],
        ),
        "destroys machines, deployments or what is known of them",
        &[
            "vagrant destroy -f", "dokku apps:destroy a", "juju destroy-model a", "bosh -d a delete-deployment",
            "kamal remove",
        ],
        &["vagrant up", "vagrant box remove a", "dokku apps:list", "juju status"],
    ),
    ask(
        "infrastructure-ansible",
        Family::Infrastructure,
        Pattern::Text(Text {
            programs: &["ansible"],
            words: &[],
            holds: &[
                "state=absent", "rm-r", "rm-f", "mkfs", "shutdown", "reboot", "dropdatabase", "terminate", "kill-9",
                "userdel",
            ],
            lacks: &[],
        }),
        "removes or stops something on every machine of a group",
        &[
            "ansible all -m file -a 'path=/srv state=absent'",
            "ansible web -b -m shell -a 'rm -rf /srv/app'",
            "ansible all -m reboot",
        ],
        &["ansible all -m ping", "ansible all -m file -a 'path=/srv state=directory'", "ansible --version"],
    ),
    ask(
        "infrastructure-salt",
        Family::Infrastructure,
        words(&["salt", "salt-ssh"], &["*", "*.remove|*.purge|*.delete*|*.absent|system.*|state.single"]),
        "removes or stops something on every machine of a group",
        &["salt '*' pkg.remove nginx", "salt web system.reboot"],
        &["salt '*' test.ping", "salt '*' pkg.list_pkgs"],
    ),
    ask(
        "infrastructure-dns",
        Family::Network,
        words(&["dnscontrol"], &["push"]),
        "changes records of the domain name system to what a file says",
        &["dnscontrol push"],
        &["dnscontrol preview"],
    ),
    ask(
        "infrastructure-dns-sync",
        Family::Network,
        flags(&["octodns-sync"], &[], &["--doit", "--force"]),
        "changes records of the domain name system to what a file says",
        &["octodns-sync --config-file a.yml --doit"],
        &["octodns-sync --config-file a.yml"],
    ),
];
