//! Ids of runs that are given none. Knows nothing about runs.

use alloc::format;
use alloc::string::String;

use crate::code::Code;
use crate::error::Error;

/// Where the store takes the id of a run from that is given none.
pub trait RunIds: Send + Sync {
    /// An id that no other run has.
    ///
    /// # Errors
    /// Whatever keeps it from having one.
    fn next_id(&self) -> Result<String, Error>;
}

/// Version 4 UUIDs from the randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl RunIds for RandomIds {
    fn next_id(&self) -> Result<String, Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::new(Code::RandomnessMissing, format!("{error}")))?;
        Ok(version_4(u128::from_be_bytes(bytes)))
    }
}

/// The UUID of version 4 with these random bits.
fn version_4(random: u128) -> String {
    const VERSION: u128 = 0xf << 76;
    const VARIANT: u128 = 0b11 << 62;
    let bits = random & !VERSION & !VARIANT | 0x4 << 76 | 0b10 << 62;
    let part = |shift: u32, mask: u128| (bits >> shift) & mask;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        part(96, 0xffff_ffff),
        part(80, 0xffff),
        part(64, 0xffff),
        part(48, 0xffff),
        part(0, 0xffff_ffff_ffff)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_version_and_variant_and_otherwise_the_random_bits() {
        assert_eq!(version_4(0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(version_4(u128::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(
            version_4(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef),
            "01234567-89ab-4def-8123-456789abcdef"
        );
    }

    #[test]
    fn random_ids_differ() {
        assert_ne!(RandomIds.next_id().unwrap(), RandomIds.next_id().unwrap());
    }
}
