package dev.holdfast.node;

import dev.holdfast.lock.LockMode;
import java.util.List;
import java.util.function.Consumer;

/**
 * One pass over all state of a {@link LockTable}, which either writes a snapshot or reads one. Both directions run the same code, so they cannot
 * disagree about the order of the fields.
 *
 * <p>Each method gets what a field is now, and returns what it is from now on. A pass that writes returns what it gets. A pass that reads ignores it.
 */
public interface StatePass {

    /** The owner in the stand-ins for elements that a pass is about to read. */
    OwnerId NOBODY = new OwnerId("nobody~00000000", 0, 0);

    /** Passes a number. */
    long number(long present);

    /** Passes a text. */
    String text(String present);

    /** Passes an owner id. */
    default OwnerId owner(OwnerId present) {
        return OwnerId.parse(text(present.toString())).orElseThrow();
    }

    /** Passes a lock mode. */
    default LockMode mode(LockMode present) {
        return LockMode.valueOf(text(present.name()));
    }

    /**
     * Passes the number of elements, and then each element.
     *
     * @param present the elements that exist now; none before a pass that reads
     * @param standIn the element to pass when there is none yet
     * @param pass passes one element, and adds the result to where it belongs
     */
    default <T> void each(List<T> present, T standIn, Consumer<T> pass) {
        long count = number(present.size());
        for (int i = 0; i < count; i++) {
            pass.accept(i < present.size() ? present.get(i) : standIn);
        }
    }
}
