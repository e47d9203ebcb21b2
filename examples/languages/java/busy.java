public class Main {
    static volatile long i;

    public static void main(String[] arguments) {
        while (true) {
            i++;
        }
    }
}
