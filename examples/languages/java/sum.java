import java.util.Scanner;

public class Main {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int count = in.nextInt();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += in.nextLong();
        }
        System.out.println(sum);
    }
}
