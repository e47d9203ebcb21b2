fn main() {
    let mut all = Vec::new();
    loop {
        all.push(std::hint::black_box(vec![1u8; 1 << 20]));
    }
}
