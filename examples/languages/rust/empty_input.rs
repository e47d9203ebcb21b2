use std::io::{self, Read};

fn main() {
    let mut all = Vec::new();
    io::stdin().read_to_end(&mut all).unwrap();
    println!("{} bytes", all.len());
}
