package dev.holdfast.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requests of one statement, in the order in which the function {@code serve} takes them. */
final class Batch {

    static final String SQL =
            "SELECT * FROM holdfast.serve(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    static final @Nullable String[] NONE = {};

    private static final @Nullable String[] RELEASED = {"R"};

    private final List<LockCall> ordered;
    private final int[] indexes; // of the ordered calls, in calls
    private final int acquires;
    private final int releases;

    Batch(List<LockCall> calls) {
        List<Integer> plainAcquires = new ArrayList<>();
        List<Integer> plainReleases = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        boolean once = namesEachResourceOnce(calls); // otherwise the order of the calls matters
        for (int i = 0; i < calls.size(); i++) {
            LockCall call = calls.get(i);
            List<Integer> plain = call.isAcquire() ? plainAcquires : plainReleases;
            (once && call.isPlain() ? plain : others).add(i);
        }
        acquires = plainAcquires.size();
        releases = plainReleases.size();
        indexes = Stream.of(plainAcquires, plainReleases, others)
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
        ordered = IntStream.of(indexes).mapToObj(calls::get).toList();
    }

    private static boolean namesEachResourceOnce(List<LockCall> calls) {
        Set<String> resources = new HashSet<>();
        return calls.stream().allMatch(call -> resources.add(call.resource()));
    }

    /**
     * Sets the parameters of {@link #SQL}.
     *
     * @param nowMillis the time in tests, which then carry out requests for quiet resources only; null for the present time
     */
    void set(PreparedStatement statement, String process, @Nullable Long nowMillis, long retentionMillis)
            throws SQLException {
        statement.setString(1, process);
        statement.setObject(2, nowMillis, java.sql.Types.BIGINT);
        statement.setLong(3, retentionMillis);
        statement.setInt(4, acquires);
        statement.setInt(5, releases);
        array(statement, 6, "text", LockCall::kind);
        array(statement, 7, "int8", LockCall::base);
        array(statement, 8, "text", LockCall::resource);
        array(statement, 9, "text", LockCall::owner);
        array(statement, 10, "int8", LockCall::ttlMillis);
        array(statement, 11, "int8", LockCall::a);
        array(statement, 12, "int8", LockCall::b);
        array(statement, 13, "int8", LockCall::c);
        array(statement, 14, "int8", LockCall::d);
        array(statement, 15, "bool", LockCall::flag1);
        array(statement, 16, "bool", LockCall::flag2);
        array(statement, 17, "text", LockCall::sealedBy);
        array(
                statement,
                18,
                "int8",
                call -> call.value() == null ? null : call.value().token());
        array(
                statement,
                19,
                "int8",
                call -> call.value() == null ? null : call.value().number());
        array(
                statement,
                20,
                "text",
                call -> call.value() == null
                        ? null
                        : ValueText.stored(call.value().text()));
    }

    private void array(PreparedStatement statement, int at, String type, Function<LockCall, @Nullable Object> field)
            throws SQLException {
        @Nullable Object[] elements = ordered.stream().map(field).toArray();
        int length = elements.length;
        while (length > 0 && (elements[length - 1] == null || Boolean.FALSE.equals(elements[length - 1]))) {
            length--;
        }
        Connection connection = statement.getConnection();
        statement.setArray(at, connection.createArrayOf(type, Arrays.copyOf(elements, length)));
    }

    /** Reads the answers to the calls, in the order of the calls; {@link #NONE} for a call without an answer. */
    List<@Nullable String[]> read(ResultSet rows) throws SQLException {
        List<@Nullable String[]> answers = new ArrayList<>(Collections.nCopies(ordered.size(), NONE));
        while (rows.next()) {
            int place = rows.getInt(1);
            if (place == 0) {
                for (String released : (String[]) rows.getArray(2).getArray()) {
                    answers.set(indexes[Integer.parseInt(released) - 1], RELEASED);
                }
            } else if (rows.getArray(2) == null) {
                answers.set(indexes[place - 1], granted(ordered.get(place - 1), rows));
            } else {
                answers.set(indexes[place - 1], (@Nullable String[])
                        rows.getArray(2).getArray());
            }
        }
        return answers;
    }

    /** Returns the answer to an ACQUIRE for a quiet resource, in the form of all others. */
    private static @Nullable String[] granted(LockCall call, ResultSet row) throws SQLException {
        return new @Nullable String[] {
            "G",
            row.getString(3),
            null,
            null,
            call.owner().split("/", 3)[1],
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getLong(7) > call.ttlMillis() ? row.getString(7) : "0"
        };
    }
}
