//! The providers that the build script has baked, and the folders their files are in.

use std::path::PathBuf;

use agent_graph_runtime::Provider;

/// The generated modules.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/index.rs"));
}

/// The provider that [`crate::sources`] calls by this name, compiled in; or why it is not.
pub fn provider(name: &str) -> Result<Provider, String> {
    let found = generated::PROVIDERS
        .iter()
        .find(|(known, _)| *known == name);
    match found {
        Some((_, Ok(provider))) => Ok(provider.clone()),
        Some((_, Err(why))) => Err((*why).to_owned()),
        None => Err(format!("{name} was not there when the tests were built")),
    }
}

/// Every baked provider with its name.
pub fn providers() -> impl Iterator<Item = (&'static str, Result<&'static Provider, &'static str>)>
{
    let providers = generated::PROVIDERS.iter();
    providers.map(|(name, provider)| (*name, provider.as_ref().map_err(|why| *why)))
}

/// The directory of conformance vectors that was baked.
pub fn conformance() -> PathBuf {
    PathBuf::from(generated::CONFORMANCE)
}

/// The folder of the worked examples.
pub fn examples() -> PathBuf {
    PathBuf::from(generated::EXAMPLES)
}

/// The folder of the random providers.
pub fn random() -> PathBuf {
    PathBuf::from(generated::RANDOM)
}
