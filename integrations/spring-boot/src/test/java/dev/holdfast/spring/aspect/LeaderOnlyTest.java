package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Lease;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.spring.LeaderOnly;
import dev.holdfast.spring.boot.Contexts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Calls of {@link LeaderOnly} methods. */
class LeaderOnlyTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    static class Reports {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);

        @LeaderOnly("${election:reports}")
        public @Nullable Long term() {
            return Holdfast.currentLease().map(Lease::fencingToken).orElseThrow();
        }

        @LeaderOnly("reports")
        public Optional<String> perhaps() {
            return Optional.of("led");
        }

        @LeaderOnly("reports")
        public String slow() throws InterruptedException {
            entered.countDown();
            go.await();
            return "done";
        }

        void awaitEntered() throws InterruptedException {
            entered.await();
        }

        void letGo() {
            go.countDown();
        }
    }

    @LeaderOnly("reports")
    static class AllReports {

        public String one() {
            return "led";
        }

        String notPublic() {
            return "always";
        }

        protected int count() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AllReports;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public String toString() {
            return "all reports";
        }
    }

    private static ApplicationContextRunner application(String nodes) {
        return Contexts.bare()
                .withPropertyValues("holdfast.nodes=memory:" + nodes, "holdfast.ttl=10s")
                .withBean(Reports.class)
                .withBean(AllReports.class);
    }

    private static Reports reports(ApplicationContext context) {
        return context.getBean(Reports.class);
    }

    private static void awaitLeads(ApplicationContext context) {
        await().atMost(SOON).until(() -> reports(context).term() != null);
    }

    @Test
    void runsWhereTheApplicationLeadsAndNowhereElse() {
        application("twoApplications").run(one -> {
            awaitLeads(one);
            long term = reports(one).term();
            application("twoApplications").run(other -> {
                assertThat(reports(other).term()).isNull();
                assertThat(reports(other).perhaps()).isEmpty();
                assertThat(other.getBean(AllReports.class).one()).isNull();
                assertThat(other.getBean(AllReports.class).notPublic()).isEqualTo("always");
                assertThat(other.getBean(AllReports.class).count()).isEqualTo(1);
                assertThat(other.getBean(AllReports.class)).hasToString("all reports");
                assertThat(reports(one).perhaps()).contains("led");
                assertThat(one.getBean(AllReports.class).one()).isEqualTo("led");

                one.getSourceApplicationContext().stop();

                awaitLeads(other);
                assertThat(reports(other).term()).isGreaterThan(term);
                assertThat(reports(one).term()).isNull();
            });
        });
    }

    @Test
    void aLossInterruptsACall() {
        ApplicationContextRunner learnsOfItSoon = application("loss").withPropertyValues("holdfast.ttl=4s");
        learnsOfItSoon.run(context -> {
            awaitLeads(context);
            FutureTask<String> call = inThread(reports(context));
            Holdfast holdfast = context.getBean(Holdfast.class);
            holdfast.admin().breakLease("reports", reports(context).term(), "in a test");

            assertThatThrownBy(call::get).hasCauseInstanceOf(LeaseLostException.class);

            awaitLeads(context);
        });
    }

    @Test
    void anotherDoesNotLeadWhileACallOfThisOneRuns() {
        application("handOver").run(one -> {
            awaitLeads(one);
            FutureTask<String> call = inThread(reports(one));
            application("handOver").run(other -> {
                Thread stopping =
                        new Thread(() -> one.getSourceApplicationContext().stop(), "stopping-in-a-test");
                stopping.start();
                await().atMost(SOON).until(() -> reports(one).term() == null);
                assertThat(reports(other).term()).isNull();

                reports(one).letGo();

                assertThat(call.get()).isEqualTo("done");
                awaitLeads(other);
                stopping.join();
            });
        });
    }

    @Test
    void aCallThatOutlivesTheLeadershipOfAStoppedApplicationIsInterrupted() {
        application("outlives").withPropertyValues("holdfast.ttl=500ms").run(context -> {
            awaitLeads(context);
            FutureTask<String> call = inThread(reports(context));

            context.getSourceApplicationContext().stop();

            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("leadership of election 'reports'");
        });
    }

    @Test
    void aChildContextStepsDownWhenItCloses() {
        Contexts.bare()
                .withPropertyValues("holdfast.nodes=memory:child", "holdfast.ttl=10s")
                .run(parent -> {
                    application("child").withParent(parent).run(LeaderOnlyTest::awaitLeads);
                    application("child").run(LeaderOnlyTest::awaitLeads);
                });
    }

    private static FutureTask<String> inThread(Reports reports) throws InterruptedException {
        FutureTask<String> task = new FutureTask<>(reports::slow);
        new Thread(task, "leading-in-a-test").start();
        reports.awaitEntered();
        return task;
    }
}
