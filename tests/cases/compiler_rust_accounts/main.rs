fn main() {
    println!("{}{}", include_str!("/etc/passwd"), env!("USER"));
}
