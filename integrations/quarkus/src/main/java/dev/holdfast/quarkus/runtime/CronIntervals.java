package dev.holdfast.quarkus.runtime;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.holdfast.cdi.LockedMethodException;
import dev.holdfast.cdi.runtime.MethodShape;
import dev.holdfast.locked.JobTimes;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.config.ConfigProvider;

/** The intervals of cron expressions, by the parser of Quarkus' scheduler. Only applications with that scheduler load this class. */
final class CronIntervals {

    private static final ZonedDateTime SOME_DAY = ZonedDateTime.of(2024, 2, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private CronIntervals() {}

    /** Returns the shortest interval between two runs by all expressions together, as {@link JobTimes#shortestInterval} does. */
    static Duration shortest(MethodShape method, List<String> crons) {
        return JobTimes.shortestInterval(
                SOME_DAY, crons.stream().map(cron -> runs(method, cron)).toList());
    }

    private static Function<ZonedDateTime, Optional<ZonedDateTime>> runs(MethodShape method, String cron) {
        if (cron.equalsIgnoreCase("off") || cron.equalsIgnoreCase("disabled")) {
            return run -> Optional.empty();
        }
        CronType type = CronType.valueOf(ConfigProvider.getConfig()
                .getOptionalValue("quarkus.scheduler.cron-type", String.class)
                .orElse("QUARTZ")
                .toUpperCase(Locale.ROOT));
        Cron parsed;
        try {
            parsed = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type)).parse(cron);
        } catch (IllegalArgumentException e) {
            throw new LockedMethodException(
                    method.text(),
                    "has the cron expression '" + cron + "', which is not valid: " + e.getMessage(),
                    "Correct it",
                    e);
        }
        ExecutionTime times = ExecutionTime.forCron(parsed);
        return times::nextExecution;
    }
}
