package dev.holdfast.torture.client;

import dev.holdfast.lock.LockMode;
import dev.holdfast.testkit.history.AttemptId;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One thread of a client: turn after turn, it acquires a lock and uses the resource. */
final class Worker implements AutoCloseable {

    private static final int LONGEST_REST_MILLIS = 20;

    /** How many of a hundred turns only ask for the state of a lock. */
    private static final int LOOKS = 5;

    private final ClientSettings settings;
    private final Contender contender;
    private final Diary diary;
    private final HaltPoint haltPoint;
    private final AtomicLong attempts;
    private final Random random;
    private final ResourceRow row;
    private final @Nullable RecipeTurns recipes;

    Worker(
            ClientSettings settings,
            Contender contender,
            Diary diary,
            HaltPoint haltPoint,
            AtomicLong attempts,
            Random random)
            throws SQLException {
        this.settings = settings;
        this.contender = contender;
        this.diary = diary;
        this.haltPoint = haltPoint;
        this.attempts = attempts;
        this.random = random;
        this.row = new ResourceRow(settings.database());
        this.recipes = contender instanceof HoldfastContender ours
                ? new RecipeTurns(settings.name(), ours.holdfast(), diary, attempts, random)
                : null;
    }

    void turn() throws InterruptedException, IOException, SQLException {
        if (contender.isStrict() && random.nextInt(100) < LOOKS) {
            look();
            return;
        }
        if (recipes != null && random.nextInt(100) < settings.recipes()) {
            recipes.turn();
            return;
        }
        Wish wish = Wish.draw(random, settings.kind());
        AttemptId who = new AttemptId(settings.name(), attempts.incrementAndGet(), wish.lock(), wish.mode());
        diary.asked(who);
        Optional<Contender.Holding> holding = contender.acquire(wish, who);
        if (holding.isEmpty()) {
            diary.gaveUp(who);
            Thread.sleep(random.nextInt(LONGEST_REST_MILLIS));
        } else {
            new CriticalSection(who, wish, holding.get(), diary, row, haltPoint, random, contender.isStrict()).run();
        }
    }

    /** Asks for the state of a lock, without wanting it. */
    private void look() throws InterruptedException {
        AttemptId who = new AttemptId(
                settings.name(),
                attempts.incrementAndGet(),
                Wish.draw(random, settings.kind()).lock(),
                LockMode.NL);
        long asked = Diary.now();
        contender.look(who.lock()).ifPresent(tokens -> diary.looked(who, asked, tokens));
    }

    @Override
    public void close() throws SQLException {
        row.close();
    }
}
