public class Main {
    public static void main(String[] arguments) {
        byte[] all = new byte[1 << 30];
        System.out.println(all[12345]);
    }
}
