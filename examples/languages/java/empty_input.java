import java.io.IOException;

public class Main {
    public static void main(String[] arguments) throws IOException {
        System.out.println(System.in.readAllBytes().length + " bytes");
    }
}
