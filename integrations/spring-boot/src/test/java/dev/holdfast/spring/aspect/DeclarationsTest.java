package dev.holdfast.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastAdmin;
import dev.holdfast.lock.Lease;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.boot.Contexts;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Mono;

/** The places where an annotation may be: methods of interfaces, of generic types, of superclasses, and other annotations. */
class DeclarationsTest {

    /** A store of any type. */
    interface Store<T> {
        @Locked(name = "store", key = "#value")
        String save(T value);

        @Locked(name = "default", key = "#a0")
        default String saveTwice(String value) {
            return held();
        }
    }

    static String held() {
        return Holdfast.currentLease().map(Lease::name).orElse("none");
    }

    static class NumberStore implements Store<Integer> {
        @Override
        public String save(Integer value) {
            return held();
        }
    }

    /** The annotation of an application. */
    @Retention(RetentionPolicy.RUNTIME)
    @Locked(name = "account", waitFor = "5s")
    @interface AccountLocked {
        @AliasFor(annotation = Locked.class, attribute = "key")
        String value();
    }

    /** An account. */
    interface Account {
        String open(String owner);

        String close(String owner);
    }

    abstract static class AnyAccount<T> implements Account {
        @Locked(name = "close", key = "#who")
        protected abstract String closeFor(T who);

        @Override
        public String close(String owner) {
            return "none";
        }
    }

    static class OwnAccount extends AnyAccount<String> {
        @Override
        @AccountLocked("#owner")
        public String open(String owner) {
            return held();
        }

        @Override
        public String closeFor(String who) {
            return held();
        }
    }

    /** The client of a remote service, which a library implements. */
    interface Client {
        @Locked(name = "client", key = "#id")
        String call(String id);
    }

    private static Client client() {
        InvocationHandler library = (proxy, method, arguments) ->
                method.getDeclaringClass() == Object.class ? method.invoke("a client", arguments) : held();
        return (Client) Proxy.newProxyInstance(Client.class.getClassLoader(), new Class<?>[] {Client.class}, library);
    }

    static class ClientFactory implements FactoryBean<Client> {
        @Override
        public Client getObject() {
            return client();
        }

        @Override
        public Class<?> getObjectType() {
            return Client.class;
        }
    }

    @Test
    void methodsOfAnInterfaceThatALibraryImplementsAreLocked() {
        Contexts.inMemory()
                .withBean(ClientFactory.class)
                .run(context ->
                        assertThat(context.getBean(Client.class).call("7")).isEqualTo("client:7"));
        Contexts.inMemory()
                .withBean(Client.class, DeclarationsTest::client)
                .run(context ->
                        assertThat(context.getBean(Client.class).call("7")).isEqualTo("client:7"));
    }

    /** Work with any kind of result. */
    abstract static class Work<T> {
        @Locked("work")
        public T run(T result) {
            return result;
        }
    }

    static class Stages extends Work<CompletableFuture<String>> {}

    static class Monos extends Work<Mono<String>> {}

    static class Streams extends Work<Stream<String>> {}

    @Test
    void theResultOfAGenericMethodHasTheTypeThatItsBeanDeclares() {
        Contexts.inMemory().withBean(Stages.class).withBean(Monos.class).run(context -> {
            HoldfastAdmin nodes = context.getBean(Holdfast.class).admin();
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Stages.class).run(work);
            assertThat(nodes.status("work").holders()).hasSize(1);
            work.complete("done");
            assertThat(result.get()).isEqualTo("done");

            Mono<Integer> holders =
                    Mono.fromCallable(() -> nodes.status("work").holders().size());
            assertThat(context.getBean(Monos.class)
                            .run(holders.map(String::valueOf))
                            .block())
                    .isEqualTo("1");
        });
        Contexts.inMemory()
                .withBean(Streams.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("@Locked method Work.run(Object) returns a java.util.stream.Stream"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void methodsOfInterfacesAreLocked(boolean proxiesClasses) {
        Contexts.inMemory()
                .withPropertyValues("spring.aop.proxy-target-class=" + proxiesClasses)
                .withBean(NumberStore.class)
                .run(context -> {
                    @SuppressWarnings("unchecked")
                    Store<Integer> store = context.getBean(Store.class);
                    assertThat(store.save(7)).isEqualTo("store:7");
                    assertThat(store.saveTwice("x")).isEqualTo("default:x");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann", "bob"})
    void methodsThatOverrideAndAnnotationsOfOnesOwnAreLocked(String owner) {
        Contexts.inMemory().withBean(OwnAccount.class).run(context -> {
            OwnAccount account = context.getBean(OwnAccount.class);
            assertThat(account.open(owner)).isEqualTo("account:" + owner);
            assertThat(account.closeFor(owner)).isEqualTo("close:" + owner);
            AnyAccount<String> any = account;
            assertThat(any.closeFor(owner)).isEqualTo("close:" + owner);
        });
    }
}
