package dev.holdfast.spring.aspect;

import static dev.holdfast.spring.boot.Contexts.analysis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.Locked;
import dev.holdfast.spring.LockedMethodException;
import dev.holdfast.spring.boot.Contexts;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that call methods and beans. */
class KeyCallsTest {

    static class Order {
        public String getNumber() {
            return "7";
        }

        public String part(int index, String... names) {
            return index + String.join("", names);
        }

        public Order getSelf() {
            return this;
        }
    }

    record Line(String article) {}

    interface Payload {}

    record Placed(String number) implements Payload {}

    record Event<T extends Payload>(T payload) {
        public T getContent() {
            return payload;
        }
    }

    static class PartOfAGenericType {
        @Locked(name = "order", key = "#event.payload.number + #event.getContent().number()")
        public String work(Event<Placed> event) {
            return Holdfast.currentLease().orElseThrow().name();
        }
    }

    @Test
    void theTypeArgumentsOfAnArgumentAreTheTypesOfItsParts() {
        Contexts.inMemory()
                .withBean(PartOfAGenericType.class)
                .run(context -> assertThat(
                                context.getBean(PartOfAGenericType.class).work(new Event<>(new Placed("7"))))
                        .isEqualTo("order:77"));
    }

    static class HashOfAType {
        @Locked(name = "order", key = "#order.hashCode()")
        public void work(Order order) {}
    }

    static class HashInACall {
        @Locked(name = "order", key = "'a'.concat(#order?.getSelf().hashCode())")
        public void work(Order order) {}
    }

    static class HashOfAnything {
        @Locked(name = "order", key = "'a' + #any.hashCode()")
        public void work(Object any) {}
    }

    static class HashOfARecord {
        @Locked(name = "order", key = "#line.hashCode()")
        public void work(Line line) {}
    }

    static class HashOfAnEnum {
        @Locked(name = "order", key = "#unit.hashCode()")
        public void work(TimeUnit unit) {}
    }

    static class HashOfABuffer {
        @Locked(name = "order", key = "#text.hashCode()")
        public void work(StringBuilder text) {}
    }

    static class ResultOfACall {
        @Locked(name = "order", key = "#order.getSelf()")
        public void work(Order order) {}
    }

    static class UnknownMethod {
        @Locked(name = "order", key = "#order.getNumbr()")
        public void work(Order order) {}
    }

    static class TooManyArguments {
        @Locked(name = "order", key = "#order.getNumber(1)")
        public void work(Order order) {}
    }

    static class UnknownMethodOfAText {
        @Locked(name = "order", key = "'a'.concatt(#order.number)")
        public void work(Order order) {}
    }

    static class UnknownRootMethod {
        @Locked(name = "order", key = "number(#order)")
        public void work(Order order) {}
    }

    static class UnknownRootProperty {
        @Locked(name = "order", key = "number")
        public void work(Order order) {}
    }

    static class UnknownBean {
        @Locked(name = "order", key = "@nope.key(#id)")
        public void work(String id) {}
    }

    static Object[][] refusedAtStart() {
        String order = Order.class.getTypeName();
        return new Object[][] {
            {
                HashOfAType.class,
                "calls hashCode() of " + order
                        + ", which may differ for equal values, so each call could have its own lock"
            },
            {HashInACall.class, "calls hashCode() of " + order},
            {HashOfAnything.class, "calls hashCode() of java.lang.Object"},
            {HashOfARecord.class, "calls hashCode() of " + Line.class.getTypeName()},
            {HashOfAnEnum.class, "calls hashCode() of java.util.concurrent.TimeUnit"},
            {HashOfABuffer.class, "calls hashCode() of java.lang.StringBuilder"},
            {ResultOfACall.class, "which is of " + order + ", whose text may differ"},
            {UnknownMethod.class, "which has the call 'getNumbr()', but " + order + " has no such method"},
            {TooManyArguments.class, "which has the call 'getNumber(1)', but " + order + " has no such method"},
            {UnknownMethodOfAText.class, "but java.lang.String has no such method"},
            {UnknownRootMethod.class, "which has the call 'number(#order)', but #root has no such method"},
            {UnknownRootProperty.class, "which has the property 'number', which #root does not have"},
            {UnknownBean.class, "which has the bean 'nope', which does not exist"},
        };
    }

    @ParameterizedTest
    @MethodSource("refusedAtStart")
    void aWrongCallEndsTheStart(Class<?> bean, String message) {
        Contexts.inMemory().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(analysis(context.getStartupFailure()).getDescription())
                    .contains(bean.getSimpleName() + ".work(")
                    .contains(message)
                    .doesNotContain("LockKey");
        });
    }

    /** A bean that keys use. */
    static class Keys {
        public String of(Order order) {
            return "k" + order.getNumber();
        }
    }

    static class Known {
        @Locked(name = "order", key = "@keys.of(#order) + #day.hashCode() + #order.part(1) + #order.part(2, 'a', 'b')")
        public String beans(Order order, LocalDate day) {
            return name();
        }

        @Locked(name = "order", key = "#ids.get(0).toString() + #number.intValue() + #text.hashCode()")
        public String known(List<Integer> ids, int number, String text) {
            return name();
        }

        @Locked(name = "order", key = "'a'.concat(#order.toString())")
        public String concatenated(Order order) {
            return name();
        }

        private static String name() {
            return Holdfast.currentLease().orElseThrow().name();
        }
    }

    @Test
    void callsThatExistAreAccepted() {
        Contexts.inMemory().withBean("keys", Keys.class).withBean(Known.class).run(context -> {
            Known bean = context.getBean(Known.class);
            LocalDate day = LocalDate.of(2026, 11, 28);
            assertThat(bean.beans(new Order(), day)).isEqualTo("order:k7" + day.hashCode() + "12ab");
            assertThat(bean.known(List.of(5), 6, "x")).isEqualTo("order:56" + "x".hashCode());
        });
    }

    @Test
    void aCallThatFailsShowsTheReasonOfItsCause() {
        Contexts.inMemory().withBean("keys", Keys.class).withBean(Known.class).run(context -> {
            Known bean = context.getBean(Known.class);
            assertThatThrownBy(() -> bean.concatenated(new Order()))
                    .isInstanceOf(LockedMethodException.class)
                    .hasMessageContaining("has the key ''a'.concat(#order.toString())', which contains '"
                            + Order.class.getName() + "@")
                    .hasMessageContaining("which identifies an object and not its value, so each call could have")
                    .hasMessageNotContaining("EL1029E");
        });
    }
}
