//! Writes the recorded inputs of a property to a folder, for `fuzz/run`: `seeds <property> <folder>`; without
//! arguments it lists the properties.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use agent_graph_properties::{PROPERTIES, property};
use agent_graph_runtime::Digest;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let Some(name) = arguments.next() else {
        PROPERTIES
            .iter()
            .for_each(|property| println!("{}", property.name));
        return Ok(());
    };
    let property = name
        .to_str()
        .and_then(property)
        .ok_or("there is no such property")?;
    let folder = PathBuf::from(arguments.next().ok_or("the second argument is a folder")?);
    fs::create_dir_all(&folder)?;
    for seed in (property.seeds)() {
        // Named after what it holds, so that a second time changes nothing.
        let name = Digest::of_bytes(&seed).to_string();
        fs::write(folder.join(name.replace("sha256:", "seed-")), seed)?;
    }
    Ok(())
}
