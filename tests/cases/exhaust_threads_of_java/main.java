import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Main {
    public static void main(String[] arguments) throws Exception {
        Scanner in = new Scanner(System.in);
        if (in.next().equals("attack")) {
            attack();
        } else {
            System.out.println(in.nextInt() + in.nextInt());
        }
    }

    static void attack() throws Exception {
        for (int i = 0; i < 1_000_000; i++) {
            new Thread(() -> { while (true) Thread.onSpinWait(); }).start();
        }
    }
}
