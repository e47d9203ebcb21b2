use std::io::{self, Write};

fn main() {
    io::stdout().write_all(b"\xff\xfe\n").unwrap();
}
