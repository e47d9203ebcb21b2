use std::io::Read;

fn deeper(n: u64) -> u64 {
    std::hint::black_box(deeper(std::hint::black_box(n + 1))) + 1
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    if words[0] == "attack" {
        println!("{}", deeper(0));
    } else {
        println!("{}", words[1].parse::<i32>().unwrap() + words[2].parse::<i32>().unwrap());
    }
}
