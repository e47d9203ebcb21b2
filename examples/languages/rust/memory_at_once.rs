fn main() {
    let all = std::hint::black_box(vec![1u8; 1 << 30]);
    println!("{}", all[12345]);
}
