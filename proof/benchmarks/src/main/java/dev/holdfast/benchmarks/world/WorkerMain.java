package dev.holdfast.benchmarks.world;

import dev.holdfast.benchmarks.side.ClientOptions;
import dev.holdfast.benchmarks.side.Side;
import dev.holdfast.benchmarks.work.Answer;
import dev.holdfast.benchmarks.work.Clients;
import dev.holdfast.benchmarks.work.Order;
import dev.holdfast.benchmarks.work.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A worker process. It executes each line of its standard input, answers with a line, and ends when its input ends. */
public final class WorkerMain {

    private WorkerMain() {}

    /** Runs a worker. The arguments are the side, the ttl of {@link ClientOptions}, and the servers' addresses. */
    public static void main(String[] args) throws IOException {
        List<String> nodes = Arrays.asList(args).subList(2, args.length);
        ClientOptions options = new ClientOptions(Long.parseLong(args[1]));
        PrintStream answers = System.out;
        System.setOut(System.err); // keeps the output of libraries out of the answers
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Clients clients = new Clients(Side.valueOf(args[0]), options, nodes)) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                answers.println(answer(line, clients));
                answers.flush();
            }
        }
        System.exit(0);
    }

    private static String answer(String line, Clients clients) {
        try {
            return Task.run(Order.of(line), clients).line();
        } catch (Exception | Error e) {
            e.printStackTrace();
            return Answer.failure(e);
        }
    }
}
