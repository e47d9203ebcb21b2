public class Main {
    public static void main(String[] arguments) {
        while (true) {
            System.out.println("a line of output that goes on and on");
        }
    }
}
