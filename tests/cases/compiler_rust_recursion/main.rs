macro_rules! bomb {
    ($($word:tt)*) => { bomb!($($word)* $($word)*) };
}

fn main() {
    bomb!(1);
}
