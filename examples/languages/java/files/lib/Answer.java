package lib;

public class Answer {
    public static int answer() {
        return 42;
    }
}
