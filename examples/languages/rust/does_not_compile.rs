fn main() {
    let number = 1;

    println!("{} {}", number, undeclared); // wrong
}
