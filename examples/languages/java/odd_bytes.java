public class Main {
    public static void main(String[] arguments) {
        System.out.write(0xff);
        System.out.write(0xfe);
        System.out.write('\n');
        System.out.flush();
    }
}
