//! What source files and tests are known by.

use hook_protocol::own_path;

use super::*;

fn class(path: &str) -> Class {
    let places = Places::new(Some("/h"), Some("/build/test/p"), Some("/build/test/p"));
    classify(&absolute(path, &places), &places)
}

#[test]
fn s1_24_source_files_are_known_by_their_extension() {
    for extension in EXTENSIONS {
        assert_eq!(class(&format!("src/a.{extension}")), Class::Source, "{extension}");
    }
    assert_eq!(EXTENSIONS.len(), 20);
    for other in ["README.md", "a.yaml", "src/a.RS", "Makefile", "py", ".py/x", "a.rs.bak"] {
        assert_eq!(class(other), Class::Other, "{other}");
    }
}

#[test]
fn s1_25_configuration_generated_and_foreign_files_are_skipped() {
    for path in [
        "vite.config.ts",
        "node_modules/a/b.js",
        "vendor/x.go",
        "dist/a.js",
        "build/a.js",
        ".next/a.js",
        "a.min.js",
        "src/__pycache__/a.py",
        ".git/hooks/a.sh",
        "api.generated.ts",
        own_path!("hooks/a.sh"),
    ] {
        assert_eq!(class(path), Class::Skipped, "{path}");
    }
    // Words that only contain such a name, and directories above the project.
    for path in ["src/rebuild.rs", "src/distance.py", "vendors/a.go", "a.py", own_path!("worktrees/x/src/a.py")] {
        assert_eq!(class(path), Class::Source, "{path}");
    }
}

#[test]
fn tests_are_known_by_dir_and_form_of_name() {
    for path in [
        "tests/a.rs", "x_test.go", "a.spec.ts", "a.test.tsx", "test_a.py", "src/__tests__/a.js", "a_test.py",
        "Gateway.UnitTests/Cart.cs", "src/CartTests.cs", "src/CartTest.java", "spec/a_spec.rb", "test/a.c",
        "conftest.py",
    ] {
        assert_eq!(class(path), Class::Test, "{path}");
    }
    for path in ["src/latest/contest.ts", "src/attestation.py", "protest/a.js", "src/testing_tools.rs", "Latest.java"] {
        assert_eq!(class(path), Class::Source, "{path}");
    }
}
