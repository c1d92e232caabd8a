package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.server.caller.Caller;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {

    private static final AccessToken SHOP = token("shop");
    private static final AccessToken DEPOT = token("depot");

    private static AccessToken token(String name) {
        return new AccessToken(
                name, name + "-0123456789-0123456789-0123456789", List.of(""), EnumSet.allOf(Right.class));
    }

    private List<AccessToken> configured = List.of(SHOP, DEPOT);
    private final Tokens tokens = new Tokens(() -> configured);
    private final List<Boolean> known = new ArrayList<>();

    /** A request may be admitted before a token is removed, and begin to wait after the listener has looked for such requests. */
    @Test
    void theListenerLooksAtEachReadingForRequestsOfRemovedTokens() {
        Caller shop = SHOP.caller();
        tokens.onRead(() -> known.add(tokens.stillHave(shop)));
        assertThat(tokens.reload()).isFalse();

        configured = List.of(DEPOT);
        assertThat(tokens.reload()).isTrue();
        assertThat(tokens.reload()).isFalse();

        assertThat(known).containsExactly(true, false, false);
    }

    @Test
    void aTokenWithAnotherSecretIsAnotherOne() {
        Caller shop = SHOP.caller();
        Caller depot = DEPOT.caller();

        configured = List.of(
                new AccessToken("shop", "a-secret-that-nobody-has-seen", List.of(""), EnumSet.allOf(Right.class)),
                token("depot"));
        tokens.reload();

        assertThat(tokens.stillHave(shop)).isFalse();
        assertThat(tokens.stillHave(depot)).isTrue();
    }

    @Test
    void tokensThatCannotBeReadChangeNothing() {
        tokens.onRead(() -> known.add(true));
        configured = List.of();
        assertThatIllegalArgumentException().isThrownBy(tokens::reload).withMessageContaining("restart the server");
        assertThat(known).isEmpty();
        assertThat(tokens.current()).containsExactly(SHOP, DEPOT);
    }
}
