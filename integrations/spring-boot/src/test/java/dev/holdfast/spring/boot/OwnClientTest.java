package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.LeaseLostException;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.postgresql.PostgresNode;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications that name their node or change their client in code: their transactions assert their leases too. */
@Tag("slow")
class OwnClientTest extends OnPostgres {

    /** Checks that transactions assert their leases in this schema, with this key prefix. */
    private static void assertsLeases(ApplicationContextRunner application, String schema, String keyPrefix) {
        application.run(context -> {
            Accounts accounts = context.getBean(Accounts.class);
            accounts.write("in time", () -> {});
            assertThat(writer()).isEqualTo("in time");

            assertThatThrownBy(() -> accounts.write(
                            "late",
                            () -> assertThat(jdbc.update(
                                            "DELETE FROM " + schema + ".vote WHERE resource = ?",
                                            keyPrefix + "account"))
                                    .isEqualTo(1)))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(writer()).isEqualTo("in time");
        });
    }

    @Test
    void theKeyPrefixIsThatOfTheClient() {
        assertsLeases(
                application().withBean(HoldfastBuilderCustomizer.class, () -> builder -> builder.keyPrefix("mine:")),
                "holdfast",
                "mine:");
        assertsLeases(
                application()
                        .withBean(
                                Holdfast.class,
                                () -> Holdfast.builder()
                                        .keyPrefix("own:")
                                        .node(PostgresNode.of(server.getPostgresDatabase()))
                                        .connect()),
                "holdfast",
                "own:");
    }

    private static ApplicationContextRunner withNode(Function<NodeContext, LockNode> opener) {
        return application().withBean(HoldfastConnectionDetails.class, () -> new HoldfastConnectionDetails() {
            @Override
            public List<String> getNodes() {
                return List.of();
            }

            @Override
            public List<Function<NodeContext, LockNode>> getNodeOpeners() {
                return List.of(opener);
            }
        });
    }

    @Test
    void aNodeFromADataSourceIsRecognized() {
        assertsLeases(withNode(PostgresNode.of(server.getPostgresDatabase())), "holdfast", "lock:");
        assertsLeases(withNode(PostgresNode.of(server.getPostgresDatabase(), "locks")), "locks", "lock:");
    }

    @Test
    void aNodeFromTheDataSourceOfAnotherDatabaseIsRecognized() {
        withNode(PostgresNode.of(server.getDatabase("postgres", "other"))).run(context -> {
            context.getBean(Accounts.class).write("elsewhere", () -> {});
            assertThat(writer()).isEqualTo("elsewhere");
        });
        application()
                .withBean(
                        Holdfast.class,
                        () -> Holdfast.builder()
                                .node(PostgresNode.of(server.getDatabase("postgres", "other")))
                                .connect())
                .run(context -> {
                    context.getBean(Accounts.class).write("own", () -> {});
                    assertThat(writer()).isEqualTo("own");
                });
    }
}
