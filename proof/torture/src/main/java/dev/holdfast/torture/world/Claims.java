package dev.holdfast.torture.world;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The claims of faults on numbered things, so that two overlapping faults never claim the same one. Thread-safe. */
public final class Claims {

    private final int size;
    private final BitSet taken = new BitSet();

    Claims(int size) {
        this.size = size;
    }

    /** Returns the number of things. */
    int size() {
        return size;
    }

    /** A claim of some of the things, which closing releases. */
    public final class Claim implements AutoCloseable {

        private final List<Integer> numbers;

        private Claim(List<Integer> numbers) {
            this.numbers = List.copyOf(numbers);
        }

        /** Returns the claimed numbers, in random order. */
        public List<Integer> numbers() {
            return numbers;
        }

        /** Returns the first claimed number. */
        public int number() {
            return numbers.get(0);
        }

        @Override
        public void close() {
            synchronized (Claims.this) {
                numbers.forEach(taken::clear);
                Claims.this.notifyAll();
            }
        }
    }

    /** Claims this thing; waits until it is free. */
    public synchronized Claim takeThis(int number) throws InterruptedException {
        while (taken.get(number)) {
            wait();
        }
        taken.set(number);
        return new Claim(List.of(number));
    }

    /** Claims this many things, or all if there are fewer, drawn at random; waits until enough are free. */
    public synchronized Claim take(int most, Random random) throws InterruptedException {
        int count = Math.min(most, size);
        while (size - taken.cardinality() < count) {
            wait();
        }
        List<Integer> free = new ArrayList<>();
        for (int i = taken.nextClearBit(0); i < size; i = taken.nextClearBit(i + 1)) {
            free.add(i);
        }
        Collections.shuffle(free, random);
        List<Integer> chosen = free.subList(0, count);
        chosen.forEach(taken::set);
        return new Claim(chosen);
    }
}
