mod answer;

fn main() {
    println!("{}", answer::answer());
}
