package shop;

import dev.holdfast.spring.Locked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

@SpringBootApplication
public class ShopApplication {

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args).close();
    }

    @Service
    static class Stock {

        /** Adds one. Without the lock, two calls that read the same number would lose one. */
        @Locked(name = "stock", key = "#article")
        public void add(String article, Path folder) throws IOException {
            Path file = folder.resolve(article);
            long number = Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
            Files.writeString(file, Long.toString(number + 1));
        }
    }

    /** Adds again and again. Its arguments are a folder, a number of threads, and a number of times for each thread. */
    @Component
    static class Load implements ApplicationRunner {

        private final Stock stock;
        private final AsyncTaskExecutor executor;

        Load(Stock stock, AsyncTaskExecutor executor) {
            this.stock = stock;
            this.executor = executor;
        }

        @Override
        public void run(ApplicationArguments args) throws Exception {
            List<String> words = args.getNonOptionArgs();
            Path folder = Path.of(words.get(0));
            List<Future<?>> threads = new ArrayList<>();
            for (int thread = 0; thread < Integer.parseInt(words.get(1)); thread++) {
                threads.add(executor.submit(() -> {
                    for (int i = 0; i < Integer.parseInt(words.get(2)); i++) {
                        stock.add("article-" + i % 2, folder);
                    }
                    System.out.println("virtual threads: " + Thread.currentThread().toString().startsWith("VirtualThread"));
                    return null;
                }));
            }
            for (Future<?> thread : threads) {
                thread.get();
            }
        }
    }
}
