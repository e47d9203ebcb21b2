public class Main {
    public static void main(String[] arguments) throws InterruptedException {
        Thread.sleep(3_600_000);
    }
}
