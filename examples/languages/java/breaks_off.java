public class Main {
    public static void main(String[] arguments) {
        for (int i = 0; i < 10; i++) {
            System.out.println(i);
