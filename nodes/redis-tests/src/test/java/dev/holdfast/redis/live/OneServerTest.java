package dev.holdfast.redis.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.Acquisition;
import dev.holdfast.lock.Refusal;
import dev.holdfast.node.LockNode;
import dev.holdfast.node.NodeContext;
import dev.holdfast.node.NodeListener;
import dev.holdfast.node.NodeProvider;
import dev.holdfast.redis.process.RedisProcesses;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One Redis server under two names, as {@code 127.0.0.1} and {@code localhost} are. */
class OneServerTest {

    private static LockNode open(String uri, NodeContext context) {
        return ServiceLoader.load(NodeProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.schemes().contains("redis"))
                .findFirst()
                .orElseThrow()
                .open(uri, context);
    }

    /** The listener, as if the thread that tells it of the connection were held up. */
    private static NodeContext heldUp(NodeContext context, CountDownLatch connected) {
        NodeListener listener = context.listener();
        NodeListener slow = (NodeListener) Proxy.newProxyInstance(
                NodeListener.class.getClassLoader(),
                new Class<?>[] {NodeListener.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("available")) {
                        connected.countDown();
                        return null;
                    }
                    try {
                        return method.invoke(listener, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new NodeContext(
                context.client(), slow, context.options(), context.timing(), context.times(), context.nodes());
    }

    @Test
    void c16_bothNamesOfOneServerAreNeverCountedEvenBeforeTheClientIsToldOfTheSecond() throws Exception {
        try (RedisProcesses servers = RedisProcesses.start(1)) {
            String address = servers.node(0).uri().toString();
            String alias = address.replace("127.0.0.1", "localhost");
            CountDownLatch connected = new CountDownLatch(1);
            try (Holdfast holdfast = Holdfast.builder()
                    .node(context -> open(address, context))
                    .node(context -> open(alias, heldUp(context, connected)))
                    .node(context -> open("redis://127.0.0.1:1", context))
                    .restartQuarantine(Duration.ZERO)
                    .build()) {
                assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
                await().until(() -> holdfast.admin().nodes().get(0).server().id() != null);

                Acquisition acquisition = holdfast.lock("x").tryAcquire(Duration.ZERO);

                assertThat(acquisition)
                        .isInstanceOfSatisfying(
                                Acquisition.Refused.class,
                                refused ->
                                        assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.NO_QUORUM));
                assertThat(holdfast.admin().nodes().get(1).detail()).contains("the same server as " + address);
            }
        }
    }
}
