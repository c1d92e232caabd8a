package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnerIdTest {

    private static final String CLIENT = "billing@host-7:42~0123456789ab";

    @Test
    void itsTextIsReadBack() {
        OwnerId id = new OwnerId(CLIENT, Ticket.LARGEST_TIME, 999_999_999);

        assertThat(id.toString()).isEqualTo(CLIENT + "/9007199254740991/999999999");
        assertThat(OwnerId.parse(id.toString())).contains(id);
        assertThat(id.displayName()).isEqualTo("billing@host-7:42");
        assertThat(id.ticket()).isEqualTo(new Ticket(Ticket.LARGEST_TIME, CLIENT));
        assertThat(new OwnerId(CLIENT, 1, 2_001).firstRound()).isEqualTo(new OwnerId(CLIENT, 1, 2_000));
    }

    @Test
    void aLabelIsPartOfTheText() {
        OwnerId id = new OwnerId(CLIENT, 7, 2_001, "'Nachtlauf ü/1' (shop)");

        assertThat(id.toString()).isEqualTo(CLIENT + "/7/2001/%27Nachtlauf+%C3%BC%2F1%27+%28shop%29");
        assertThat(OwnerId.parse(id.toString())).contains(id);
        assertThat(id.firstRound()).isEqualTo(new OwnerId(CLIENT, 7, 2_000, id.label()));
        assertThat(id.withoutRound()).isEqualTo(CLIENT + "/7");
        assertThat(OwnerId.displayName(id.toString())).isEqualTo("'Nachtlauf ü/1' (shop)");
        String longest = new OwnerId(CLIENT, 7, 0, "漢".repeat(OwnerId.LONGEST_LABEL)).toString();
        assertThat(OwnerId.parse(longest)).isPresent();
    }

    @Test
    void whatHoldfastDidNotWriteIsNoOwnerId() {
        List<String> foreign = List.of(
                "",
                "0xdeadbeef",
                "7f0e8f0a-0001-4c1e-9f5e-000000000000",
                "a~00000000/1",
                "a~00000000/1/2/",
                "a~00000000/1/2/3/4",
                "a~00000000/1/2/%zz",
                "a~00000000/1/2/%41",
                "a~00000000/1/2/a b",
                "a~00000000/1/2/" + "x".repeat(OwnerId.LONGEST_LABEL + 1),
                "a~00000000/01/0",
                "a~00000000/+1/0",
                "a~00000000/\u0661/0",
                "a~00000000/-1/0",
                "a~00000000/9007199254740992/0",
                "a~00000000/99999999999999999999/0",
                "a~00000000/1/1000000000",
                "a~0000000/1/0",
                "a~ABCDEFGH/1/0",
                "a b~00000000/1/0",
                "~00000000/1/0",
                "a~00000000/1/0\n",
                "x".repeat(101) + "~00000000/1/0");
        assertThat(foreign).allSatisfy(text -> assertThat(OwnerId.parse(text)).isEmpty());
    }

    @Test
    void wrongPartsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId("a/b~00000000", 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId(CLIENT, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId(CLIENT, Ticket.LARGEST_TIME + 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId(CLIENT, 1, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OwnerId(CLIENT, 1, 1, "x".repeat(OwnerId.LONGEST_LABEL + 1)));
    }

    @Test
    void ticketsGoByTimeThenByTheBytesOfTheStoredText() {
        List<Ticket> ordered = List.of(
                new Ticket(1, "z~00000000"),
                new Ticket(2, "a-b~00000000"),
                new Ticket(2, "a.b~00000000"),
                new Ticket(2, "a:~00000000"),
                new Ticket(2, "a~00000000"),
                new Ticket(2, "b~00000000"),
                new Ticket(10, "a~00000000"));

        assertThat(Stream.of(6, 2, 4, 0, 5, 3, 1).map(ordered::get).sorted()).containsExactlyElementsOf(ordered);
        assertThat(ordered.get(0)).isLessThan(ordered.get(1));
        assertThat(ordered.get(0)).isEqualByComparingTo(ordered.get(0));
    }
}
