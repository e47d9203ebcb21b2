use std::thread;

fn main() {
    let parts: Vec<_> = (0..4u64)
        .map(|part| thread::spawn(move || (part * 250..(part + 1) * 250).sum::<u64>()))
        .collect();
    println!("{}", parts.into_iter().map(|part| part.join().unwrap()).sum::<u64>());
}
