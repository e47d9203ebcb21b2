import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

public class Main {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Long>> parts = new ArrayList<>();
        for (int from = 0; from < 1000; from += 250) {
            int start = from;
            parts.add(pool.submit(() -> LongStream.range(start, start + 250).sum()));
        }
        long all = 0;
        for (Future<Long> part : parts) {
            all += part.get();
        }
        pool.shutdown();
        System.out.println(all);
    }
}
