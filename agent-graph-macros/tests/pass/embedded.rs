//! A provider whose files are compiled in, from a host that forbids whatever it can.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
#![forbid(unsafe_code)]

agent_graph_macros::include_provider! {
    /// With files.
    mod shop = "fixtures/shop/provider.yaml", embed = true;
    /// Without.
    mod bare = "fixtures/shop/provider.yaml", embed = false;
    /// The files of a bundle.
    mod bundle = "fixtures/bundle/manifest.json", embed = true, crate = ::agent_graph_runtime;
}

fn main() {
    assert_eq!(shop::EMBEDDED.provider().digest(), bare::PROVIDER.digest());
    assert_eq!(shop::EMBEDDED.verify(), Ok(()));
    assert_eq!(bundle::EMBEDDED.verify(), Ok(()));
    let paths: Vec<&str> = shop::EMBEDDED.files().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        [
            "action.yaml",
            "graphs/audit.yaml",
            "graphs/release.yaml",
            "graphs/type.yaml",
            "provider.yaml"
        ]
    );
    let action = shop::EMBEDDED.bytes("action.yaml");
    assert!(action.is_some_and(|bytes| bytes.starts_with(b"schema: agent-graph.action.v1\n")));
    let folder = std::env::temp_dir().join(format!("agent-graph-embedded-{}", std::process::id()));
    let installed = bundle::EMBEDDED.extract(folder.join("bundle"));
    assert_eq!(installed.map(|it| it.provider().digest()), Ok(bundle::PROVIDER.digest()));
    let _ = std::fs::remove_dir_all(folder);
}
