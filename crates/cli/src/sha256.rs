//! SHA-256 (FIPS 180-4), by which witnesses name the files that they are about.

/// The digest of bytes, as hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let mut state: [u32; 8] = fractions(2);
    let rounds: [u32; 64] = fractions(3);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64).wrapping_mul(8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words = [0_u32; 64];
        for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
        }
        for index in 16..64 {
            let (a, b) = (words[index - 15], words[index - 2]);
            let low = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let high = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            let sum = words[index - 16].wrapping_add(low);
            words[index] = sum.wrapping_add(words[index - 7]).wrapping_add(high);
        }
        let mut now = state;
        for (word, constant) in words.iter().zip(&rounds) {
            let [a, b, c, d, e, f, g, h] = now;
            let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & f ^ !e & g;
            let first = h.wrapping_add(high).wrapping_add(choice);
            let first = first.wrapping_add(*constant).wrapping_add(*word);
            let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = low.wrapping_add(a & b ^ a & c ^ b & c);
            let sum = first.wrapping_add(second);
            now = [sum, a, b, c, d.wrapping_add(first), e, f, g];
        }
        for (word, now) in state.iter_mut().zip(now) {
            *word = word.wrapping_add(now);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first 32 bits of the fractions of the square or cube roots of the first primes: the standard's constants.
fn fractions<const N: usize>(degree: u32) -> [u32; N] {
    let mut found = [0; N];
    let is_prime = |number: u128| (2..number).all(|divisor| !number.is_multiple_of(divisor));
    let primes = (2_u128..).filter(|&number| is_prime(number));
    for (to, prime) in found.iter_mut().zip(primes) {
        // The root of prime · 2^(32·degree) is the root of the prime with 32 bits behind the point.
        let wanted = prime << (32 * degree);
        let mut root = 0_u128;
        for bit in (0..40).rev() {
            let next = root | 1 << bit;
            if next.pow(degree) <= wanted {
                root = next;
            }
        }
        *to = root as u32;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn the_digests_are_those_of_the_standard() {
        assert_eq!(
            digest(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            digest(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            digest(long.as_bytes()),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
