package dev.holdfast.server.view;

import dev.holdfast.server.message.Json;
import dev.holdfast.server.message.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query for locks of the {@link LockSnapshots}: which locks, in which order, and how many.
 *
 * @param prefix the prefix of the names; empty for all
 * @param contains a text within the name or the holder, in lower case; empty for all
 * @param state the state of the locks; null for all
 * @param kind the kind of the locks; null for all
 * @param descending whether the largest comes first
 * @param offset how many rows to skip
 */
public record TableQuery(
        String prefix,
        String contains,
        LockRow.@Nullable State state,
        @Nullable LockKind kind,
        Sort sort,
        boolean descending,
        int offset,
        int limit) {

    /** The maximum number of rows in an answer, since the nodes are asked for each row. */
    static final int LARGEST_PAGE = 200;

    private static final int USUAL_PAGE = 50;

    /** The sort key of the rows; rows with equal keys are sorted by name. */
    enum Sort {
        NAME,
        ATTENTION,
        HELD,
        REMAINING,
        TOKEN,
        QUEUE
    }

    /** Reads the query from parameters; each parameter may be absent. */
    public static TableQuery of(Function<String, @Nullable String> parameters) {
        String sort = orElse(parameters.apply("sort"), "name");
        boolean descending = sort.startsWith("-");
        String state = parameters.apply("state");
        String kind = parameters.apply("kind");
        return new TableQuery(
                orElse(parameters.apply("prefix"), ""),
                orElse(parameters.apply("contains"), "").toLowerCase(Locale.ROOT),
                state == null ? null : constant("state", LockRow.State.class, state),
                kind == null ? null : constant("kind", LockKind.class, kind),
                constant("sort", Sort.class, descending ? sort.substring(1) : sort),
                descending,
                number("offset", orElse(parameters.apply("offset"), "0"), 0, LockSnapshots.MOST_LOCKS),
                number("limit", orElse(parameters.apply("limit"), Integer.toString(USUAL_PAGE)), 1, LARGEST_PAGE));
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    private static <E extends Enum<E>> E constant(String name, Class<E> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> Json.word(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> Problem.badRequest("The parameter '" + name + "' must be one of "
                        + Arrays.stream(type.getEnumConstants()).map(Json::word).toList()
                        + (name.equals("sort") ? ", or one of these after a '-'." : ".")));
    }

    private static int number(String name, String text, int least, int most) {
        int number = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw Problem.badRequest(
                    "The parameter '" + name + "' must be a number from " + least + " to " + most + ".");
        }
        return number;
    }
}
