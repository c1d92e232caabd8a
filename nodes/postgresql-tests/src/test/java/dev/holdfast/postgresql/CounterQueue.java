package dev.holdfast.postgresql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The queue of the counter's lock at one moment.
 *
 * @param token the token of the holder
 * @param clients the names of the waiting clients, in the order of the queue
 */
record CounterQueue(long token, List<String> clients) {

    /** Reads the queue of a lock that has a holder; empty clients if it has none. */
    static CounterQueue read(TestDatabase database) throws SQLException {
        String sql = "SELECT (SELECT max(v.fence) FROM holdfast.vote v WHERE v.resource = 'lock:counter'),"
                + " split_part(w.owner, '~', 1) FROM holdfast.waiter w WHERE w.resource = 'lock:counter'"
                + " ORDER BY w.attempt, w.owner";
        long token = 0;
        List<String> clients = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                token = row.getLong(1);
                clients.add(row.getString(2));
            }
        }
        return new CounterQueue(token, token == 0 ? List.of() : clients);
    }

    /** Returns the clients that were granted the lock, by their tokens, from the output of the workers. */
    static TreeMap<Long, String> granted(List<Path> logs) throws IOException {
        TreeMap<Long, String> granted = new TreeMap<>();
        for (int worker = 0; worker < logs.size(); worker++) {
            for (String line : Files.readAllLines(logs.get(worker))) {
                if (line.startsWith(CounterWorker.GRANTED)) {
                    granted.put(
                            Long.parseLong(line.substring(CounterWorker.GRANTED.length())),
                            CounterWorker.client(worker));
                }
            }
        }
        return granted;
    }

    /** Returns the clients of this queue in the order in which they were granted the lock afterwards. */
    List<String> servedIn(TreeMap<Long, String> granted) {
        return granted.tailMap(token, false).entrySet().stream()
                .map(Map.Entry::getValue)
                .filter(clients::contains)
                .distinct()
                .toList();
    }
}
