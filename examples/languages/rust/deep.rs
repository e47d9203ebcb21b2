fn depth(n: u32) -> u32 {
    if n == 0 { 0 } else { 1 + std::hint::black_box(depth(std::hint::black_box(n - 1))) }
}

fn main() {
    println!("{}", depth(100_000));
}
