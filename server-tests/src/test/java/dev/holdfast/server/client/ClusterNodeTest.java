package dev.holdfast.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.lock.NodeStatus;
import dev.holdfast.node.InspectAnswer;
import dev.holdfast.node.ListAnswer;
import dev.holdfast.node.LockGroups;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.Push;
import dev.holdfast.node.Unavailable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster of three servers, as its client sees it. */
class ClusterNodeTest {

    private final List<String> notices = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private LockNode node;

    @BeforeEach
    void open() {
        node = ClusterNode.open(
                "a,b,c",
                new Noting(),
                Stream.of("a", "b", "c")
                        .<Function<NodeListener, LockNode>>map(name -> listener -> {
                            Server server = new Server(listener, name);
                            servers.add(server);
                            return server.connection();
                        })
                        .toList());
    }

    @Test
    void aLeaderThatStepsDownDoesNotHideWhyTheOtherServersDoNotLead() {
        servers.get(0).listener.available("shop");
        servers.get(1).listener.unavailable("b: connection refused");
        servers.get(2).listener.unavailable("c: connection refused");

        servers.get(0).listener.unavailable("no leader that server a knows");

        assertThat(notices)
                .containsExactly(
                        "available", "no leader that server a knows; b: connection refused; c: connection refused");
    }

    @Test
    void aClientLearnsAtOnceThatItsLeaderIsGone() {
        servers.get(0).listener.available("shop");

        servers.get(0).listener.unavailable("a: connection lost");

        assertThat(notices).containsExactly("available", "a: connection lost");
    }

    // ---- servers of two clusters

    /** Two clients with this URI could each hold the same lock, in different clusters. */
    @Test
    void serversOfTwoClustersAreRefusedWhicheverAnswersFirst() {
        servers.get(0).listener.identified("shop");
        servers.get(0).listener.available("shop");
        assertThat(asked(name(0))).isEqualTo("a");

        servers.get(1).listener.identified("stock");

        String why = "the servers belong to several clusters, shop and stock; name those of one cluster";
        assertThat(notices).containsExactly("available", "refused: " + why);
        assertThat(asked(name(0))).isEqualTo(why);
        assertThat(list(10)).isEqualTo(new Unavailable(why, false));

        servers.get(1).listener.available("stock");
        servers.get(0).listener.available("shop");

        assertThat(asked(name(0))).isEqualTo(why);
        assertThat(notices).doesNotContainSubsequence("refused: " + why, "available");
    }

    @Test
    void aServerThatHasMovedToTheClusterOfTheOthersEndsTheRefusal() {
        servers.get(1).listener.available("stock");
        servers.get(0).listener.available("shop");
        servers.get(1).listener.unavailable("b: connection lost");

        servers.get(1).listener.identified("shop");

        assertThat(asked(name(0))).isEqualTo("a");
        assertThat(notices).last().isEqualTo("available");
    }

    @Test
    void twoClustersOfTheSameNameAreDistinguishedByTheirMarks() {
        servers.get(0).listener.available("shop#1");

        servers.get(1).listener.identified("shop#2");

        String why = "the servers belong to several clusters, shop#1 and shop#2; name those of one cluster";
        assertThat(notices).containsExactly("available", "refused: " + why);
        assertThat(asked(name(0))).isEqualTo(why);
    }

    @Test
    void aServerThatDoesNotKnowItsMarkYetBelongsToTheClusterOfItsName() {
        servers.get(0).listener.identified("shop");
        servers.get(1).listener.available("shop#1");

        servers.get(0).listener.available("shop#1");

        assertThat(asked(name(0))).isEqualTo("a");
        assertThat(notices).containsOnly("available");
    }

    /** The operator has restored a backup at the first server. The others are down, so they cannot say that they have left the old cluster. */
    @Test
    void aRestoredClusterIsUsedBeforeItsOtherServersAreBack() {
        Stream.of(0, 1, 2).forEach(server -> servers.get(server).listener.identified("shop#1"));
        servers.get(1).listener.available("shop#1");
        Stream.of(0, 1, 2).forEach(server -> servers.get(server).listener.unavailable("connection lost"));

        servers.get(0).listener.available("shop#2");

        assertThat(asked(name(0))).isEqualTo("a");

        servers.get(1).listener.identified("shop#1");

        assertThat(asked(name(0))).as("a server with old data").contains("shop#2 and shop#1");
    }

    // ---- groups

    @Test
    void aRequestGoesToTheServerThatLeadsTheGroupOfItsLock() {
        lead(0, 0);
        lead(1, 1, 2);

        assertThat(Stream.of(0, 1, 2).map(group -> asked(name(group)))).containsExactly("a", "b", "b");

        lead(2, 1);
        lead(1, 2);

        assertThat(Stream.of(0, 1, 2).map(group -> asked(name(group)))).containsExactly("a", "c", "b");
    }

    @Test
    void ofTwoServersThatBothSayTheyLeadAGroupTheLaterOneIsAsked() {
        lead(0, 0, 1, 2);
        lead(1, 2);

        assertThat(Stream.of(0, 1, 2).map(group -> asked(name(group)))).containsExactly("a", "a", "b");
    }

    @Test
    void aGroupWithoutALeaderDoesNotHinderTheOthers() {
        lead(0, 0);
        lead(1, 1);
        lead(1, 1, 2);
        lead(0, 0);
        servers.get(1).listener.unavailable("b: connection lost");

        assertThat(asked(name(0))).isEqualTo("a");
        assertThat(asked(name(1))).contains("no server leads the group of this lock");
        assertThat(notices).as("one leader is left").containsExactly("available", "available");

        servers.get(0).listener.unavailable("a: connection lost");

        assertThat(notices).containsExactly("available", "available", "a: connection lost; b: connection lost");
    }

    @Test
    void atFirstAClientWaitsForAllGroups() {
        lead(0, 0);
        lead(1, 2);
        assertThat(notices).isEmpty();

        lead(2, 1);

        assertThat(notices).containsExactly("available");
    }

    @Test
    void aClientDoesNotWaitForAGroupThatNoServerLeads() {
        lead(0, 0);
        servers.get(1).listener.unavailable("b: connection refused");
        assertThat(notices).isEmpty();

        servers.get(2).listener.unavailable("no leader that server c knows");

        assertThat(notices).containsExactly("available");
    }

    @Test
    void aListHasTheNamesOfAllGroupsInOrder() {
        servers.get(0).names = new ListAnswer.Names(List.of("a", "d", "e"), true);
        servers.get(1).names = new ListAnswer.Names(List.of("b", "c", "f"), true);
        lead(0, 0);
        lead(1, 1, 2);

        assertThat(list(10)).isEqualTo(new ListAnswer.Names(List.of("a", "b", "c", "d", "e", "f"), true));
        assertThat(list(4)).isEqualTo(new ListAnswer.Names(List.of("a", "b", "c", "d"), false));

        servers.get(1).names = new ListAnswer.Names(List.of("b", "c"), false);

        assertThat(list(10))
                .as("the second server may have names between c and d")
                .isEqualTo(new ListAnswer.Names(List.of("a", "b", "c"), false));
    }

    @Test
    void aListWithoutOneOfTheGroupsIsNone() {
        lead(0, 0);
        lead(1, 2);

        assertThat(list(10))
                .isInstanceOfSatisfying(
                        Unavailable.class, why -> assertThat(why.reason()).contains("[1]"));
        assertThat(state()).isEqualTo(NodeStatus.State.DOWN);

        lead(2, 1);

        assertThat(list(10)).isInstanceOf(ListAnswer.Names.class);
        assertThat(state()).isEqualTo(NodeStatus.State.UP);
    }

    @Test
    void aListDuringWhichALeaderChangedIsNone() {
        lead(0, 0, 1, 2);
        CompletableFuture<Void> slow = new CompletableFuture<>();
        servers.get(0).slow = slow;
        CompletableFuture<ListAnswer> list = node.list("lock:", 10).toCompletableFuture();
        lead(0, 0, 1);
        lead(1, 2);

        slow.complete(null);

        assertThat(list).isCompletedWithValueMatching(answer -> answer instanceof Unavailable);
    }

    private void lead(int server, Integer... groups) {
        servers.get(server).groups = new LockGroups(3, Set.of(groups));
        servers.get(server).listener.available("shop");
    }

    /** Returns a name of this group, of three. */
    private static String name(int group) {
        return IntStream.range(0, 1_000)
                .mapToObj(number -> "lock:" + number)
                .filter(name -> LockGroups.of(name, 3) == group)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the server that answers for a lock, or the reason why none does. */
    private String asked(String resource) {
        return ((Unavailable) node.inspect(resource).toCompletableFuture().join()).reason();
    }

    private ListAnswer list(int limit) {
        return node.list("lock:", limit).toCompletableFuture().join();
    }

    private NodeStatus.State state() {
        return node.status().toCompletableFuture().join().state();
    }

    /** A server that answers each question about a lock with its own name. */
    private static final class Server {

        private final NodeListener listener;
        private final String name;
        private LockGroups groups = LockGroups.WHOLE;
        private ListAnswer names = new ListAnswer.Names(List.of(), true);
        private CompletableFuture<?> slow = CompletableFuture.completedFuture(null);

        private Server(NodeListener listener, String name) {
            this.listener = listener;
            this.name = name;
        }

        private LockNode connection() {
            return (LockNode) Proxy.newProxyInstance(
                    LockNode.class.getClassLoader(),
                    new Class<?>[] {LockNode.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "groups" -> groups;
                        case "inspect" ->
                            CompletableFuture.<InspectAnswer>completedFuture(new Unavailable(name, false));
                        case "list" -> slow.thenApply(answer -> names);
                        case "status" ->
                            CompletableFuture.completedFuture(new NodeStatus(
                                    name,
                                    NodeStatus.State.UP,
                                    "",
                                    Duration.ofMillis(1),
                                    Duration.ZERO,
                                    new NodeStatus.Server("shop", "", null, null, null, List.of())));
                        case "hashCode" -> name.hashCode();
                        case "equals" -> proxy == arguments[0];
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }
    }

    /** Notes what the client learns, in order. */
    private final class Noting implements NodeListener {

        @Override
        public void pushed(Push push) {
            notices.add(push.toString());
        }

        @Override
        public void available(String serverId) {
            notices.add("available");
        }

        @Override
        public void unavailable(String reason) {
            notices.add(reason);
        }

        @Override
        public void refused(String reason) {
            notices.add("refused: " + reason);
        }
    }
}
