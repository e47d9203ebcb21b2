fn main() {
    loop {
        println!("a line of output that goes on and on");
    }
}
