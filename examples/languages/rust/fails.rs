fn main() {
    panic!("this went wrong");
}
