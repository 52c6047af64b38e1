//! Rules for what costs or moves money: purchases, commitments, domains, transfers.

use super::{Family, Pattern, Rule, ask, flags, words};
use crate::rule::command::{Command, Text};

pub(super) const RULES: &[Rule] = &[
    ask(
        "money-aws-purchase",
        Family::Cloud,
        Pattern::Command(Command {
            programs: &["aws"],
            words: &[
                "*",
                "purchase-*|create-savings-plan|register-domain|transfer-domain|renew-domain|accept-reserved-instances-exchange-quote|create-provisioned-model-throughput",
            ],
            flags: &[],
            without: &["--endpoint-url=*localhost*", "--endpoint-url=*127.0.0.1*", "--endpoint-url=*localstack*"],
        }),
        "buys something at AWS, or binds itself to pay for it",
        &[
            "aws ec2 purchase-reserved-instances-offering --reserved-instances-offering-id a --instance-count 2",
            "aws --region eu-central-1 savingsplans create-savings-plan --savings-plan-offering-id a --commitment 5",
            "aws rds purchase-reserved-db-instances-offering --reserved-db-instances-offering-id a",
            "aws route53domains register-domain --domain-name acme.test --duration-in-years 1",
        ],
        &[
            "aws ec2 describe-reserved-instances-offerings",
            "aws savingsplans describe-savings-plans",
            "aws route53domains check-domain-availability --domain-name acme.test",
            "aws ec2 purchase-reserved-instances-offering --reserved-instances-offering-id a --dry-run",
        ],
    ),
    ask(
        "money-google-purchase",
        Family::Cloud,
        words(
            &["gcloud"],
            &["compute|billing|domains", "commitments|projects|registrations", "create|link|unlink|register|transfer"],
        ),
        "binds itself to pay, or changes who pays for a project",
        &[
            "gcloud compute commitments create c1 --plan=12-month --resources=vcpu=8,memory=32GB --region=europe-west3",
            "gcloud billing projects link shop --billing-account=000000-000000-000000",
            "gcloud domains registrations register acme.test",
        ],
        &[
            "gcloud compute commitments list",
            "gcloud billing projects describe shop",
            "gcloud billing accounts list",
            "gcloud domains registrations search-domains acme",
            "gcloud projects create shop",
        ],
    ),
    ask(
        "money-google-track-purchase",
        Family::Cloud,
        words(
            &["gcloud"],
            &[
                "alpha|beta", "compute|billing|domains", "commitments|projects|registrations",
                "create|link|unlink|register|transfer",
            ],
        ),
        "binds itself to pay, or changes who pays for a project",
        &["gcloud beta billing projects link shop --billing-account=000000-000000-000000"],
        &["gcloud beta billing projects describe shop"],
    ),
    ask(
        "money-azure-purchase",
        Family::Cloud,
        words(
            &["az"],
            &[
                "reservations|billing-benefits|appservice",
                "reservation-order|savings-plan-order-alias|reservation-order-alias|domain",
                "purchase|create",
            ],
        ),
        "buys something at Azure, or binds itself to pay for it",
        &[
            "az reservations reservation-order purchase --reservation-order-id a --sku standard_b1ls",
            "az appservice domain create -g rg --hostname acme.test --accept-terms",
        ],
        &["az reservations reservation-order list", "az appservice domain show-terms --hostname acme.test"],
    ),
    ask(
        "money-domain",
        Family::Cloud,
        words(
            &["vercel", "vc", "gandi", "porkbun", "namecheap", "godaddy", "dnsimple", "hostinger", "netlify"],
            &["domains|domain", "buy|purchase|register|renew|transfer-in"],
        ),
        "buys a domain",
        &["vercel domains buy acme.test", "vercel --scope acme domains buy acme.test"],
        &["vercel domains ls", "vercel domains inspect acme.test", "vercel domains add acme.test"],
    ),
    ask(
        "money-platform",
        Family::Cloud,
        words(&["vercel", "vc"], &["buy", "credits|pro|addon|domain"]),
        "buys something of a hosting platform",
        &["vercel buy credits v0 100", "vercel buy domain acme.test"],
        &["vercel deploy", "vercel ls"],
    ),
    ask(
        "money-request",
        Family::Saas,
        flags(
            &["stripe"],
            &["post", "*transfers*|*payouts*|*refunds*|*charges*|*topups*|*payment_intents*|*credit_notes*"],
            &["--live", "--api-key=sk_live*", "--api-key=rk_live*"],
        ),
        "moves money",
        &[
            "stripe post /v1/payouts -d amount=500 -d currency=eur --live",
            "stripe --live post /v1/refunds -d charge=ch_2",
        ],
        &[
            "stripe post /v1/payouts -d amount=500 -d currency=eur",
            "stripe get /v1/payouts --live",
            "stripe post /v1/customers --live",
        ],
    ),
    ask(
        "money-code",
        Family::Saas,
        Pattern::Code(Text {
            programs: &[
                "python", "node", "ruby", "php", "perl", "deno", "bun", "tsx", "ts-node", "rails", "rake", "manage.py",
                "artisan", "tinker", "irb",
            ],
            words: &[],
            holds: &[
                "stripe.transfer.create(", "stripe.payout.create(", "stripe.refund.create(", "stripe.topup.create(",
                "stripe.transfers.create(", "stripe.payouts.create(", "stripe.refunds.create(",
                "stripe.topups.create(", "stripe::transfer.create", "stripe::payout.create", "stripe::refund.create",
                "stripe\\transfer::create(", "stripe\\payout::create(", "stripe\\refund::create(",
                "->transfers->create(", "->payouts->create(", "->refunds->create(",
            ],
            lacks: &["sk_test", "rk_test"],
        }),
        "moves money by inline code",
        &[
            "python3 -c \"import stripe; stripe.Payout.create(amount=500, currency='eur')\"",
            "node -e \"stripe.transfers.create({amount: 500, currency: 'eur', destination: 'acct_1'})\"",
        ],
        &[
            "python3 -c \"import stripe; print(stripe.Payout.list())\"",
            "python3 -c \"import stripe; stripe.api_key='sk_test_1'; stripe.Refund.create(charge='ch_1')\"",
            "node -e \"console.log('stripe.payouts.create(')\"",
        ],
    ),
];
