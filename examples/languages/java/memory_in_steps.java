import java.util.ArrayList;
import java.util.List;

public class Main {
    public static void main(String[] arguments) {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 17]);
        }
    }
}
