package dev.holdfast.cdi.reader;

import dev.holdfast.cdi.OnBusy;
import dev.holdfast.cdi.runtime.ScheduleSettings;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.MethodInfo;

/** The schedules of a locked method: whether only one of all instances runs each scheduled call with its settings. */
final class Schedules {

    private static final System.Logger LOG = System.getLogger(Schedules.class.getName());

    private final String subject;
    private final List<AnnotationInstance> times;

    Schedules(String subject, MethodInfo method) {
        this.subject = subject;
        Stream<AnnotationInstance> one =
                method.declaredAnnotations().stream().filter(found -> Names.SCHEDULED.contains(found.name()));
        Stream<AnnotationInstance> many = method.declaredAnnotations().stream()
                .filter(found -> Names.SCHEDULES.contains(found.name()))
                .flatMap(all -> Stream.of(all.value().asNestedArray()));
        this.times = Stream.concat(one, many).toList();
    }

    /** Returns the schedules, for the checks that need the values of expressions. */
    ScheduleSettings settings() {
        return new ScheduleSettings(annotation(), crons(), texts("every"));
    }

    /** Returns the first annotation; empty if there is none. */
    private String annotation() {
        return times.stream()
                .findFirst()
                .map(time -> "@" + time.name().withoutPackagePrefix().replace('$', '.'))
                .orElse("");
    }

    /** Returns the cron expressions of the method; those of other schedulers than Quarkus' are not read. */
    private List<String> crons() {
        return texts("cron");
    }

    private List<String> texts(String attribute) {
        return times.stream()
                .filter(time -> time.name().equals(Names.QUARKUS_SCHEDULED))
                .map(time -> time.value(attribute))
                .filter(value -> value != null)
                .map(AnnotationValue::asString)
                .map(Schedules::expression)
                .filter(text -> !text.isBlank())
                .toList();
    }

    /** Returns a value whose braces alone, <code>{property}</code>, which only the scheduler knows, are an expression. */
    private static String expression(String text) {
        return text.startsWith("{") && text.endsWith("}") ? "$" + text : text;
    }

    /** Rejects a scheduled method that runs once for each instance, and warns of one that may run twice. */
    void check(OnBusy onBusy, boolean hasAtLeast) {
        if (times.isEmpty()) {
            return;
        }
        String isScheduled = "is " + annotation();
        String remedy = "Use @LockedJob, or @Locked(onBusy = OnBusy.SKIP, atLeast = \"10s\")";
        if (onBusy == OnBusy.WAIT) {
            throw Problem.of(
                    subject,
                    isScheduled + " and waits for its lock, so each instance runs it, one after the other",
                    remedy + ". If each instance must run it, let it call a locked method of another bean");
        }
        if (!hasAtLeast) {
            LOG.log(
                    Level.WARNING,
                    Problem.of(
                                    subject,
                                    isScheduled + " without atLeast, so an instance whose clock is late runs it again",
                                    remedy)
                            .getMessage());
        }
    }

    /** Rejects a job without a minimum time that has no cron expression from which it could follow, or another schedule beside its expressions. */
    void requireAtLeast() {
        if (crons().isEmpty() || crons().size() < times.size()) {
            throw Problem.of(
                    subject,
                    "has no atLeast, and no cron expression from which Holdfast could derive it",
                    "Set atLeast to a little less than the interval between two runs");
        }
    }
}
