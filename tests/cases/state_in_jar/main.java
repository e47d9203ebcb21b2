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
        for (String name : new String[] {"program.jar", "Main.class", "META-INF"}) {
            Files.write(Path.of("/tmp", name), "nothing".getBytes());
        }
        System.out.println(List.of(new File("/tmp").list()));
    }
}
