package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.Http.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LookingTest {

    @Test
    void thePagesOfAListAreAllOfIt() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            for (int i = 0; i < 25; i++) {
                http.acquire("{'lock':'orders:" + (100 + i) + "'}").is(201);
            }
            http.acquire("{'lock':'other'}").is(201);
            List<String> all = new ArrayList<>();
            String after = "";
            do {
                JsonNode page = http.get("/v1/locks?prefix=orders:&limit=10&after=" + Http.encoded(after))
                        .is(200)
                        .json();
                assertThat(page.get("complete").booleanValue()).isTrue();
                assertThat(page.get("locks").size()).isBetween(1, 10);
                page.get("locks").forEach(name -> all.add(name.stringValue()));
                after = page.get("next").isNull() ? "" : page.get("next").stringValue();
            } while (!after.isEmpty());

            assertThat(all).hasSize(25).doesNotHaveDuplicates().isSorted();
        }
    }

    @Test
    void statusTellsHoldersWaitersAndNodes() {
        try (LockServer server = LockServer.builder().port(0).start()) {
            Http http = new Http(server);
            Reply lease = http.acquire("{'lock':'a','value':'v'}").is(201);

            JsonNode status = http.get("/v1/status?lock=a").is(200).json();

            assertThat(status.get("hasMajority").booleanValue()).isTrue();
            assertThat(status.get("holders").get(0).get("token").longValue()).isEqualTo(lease.number("token"));
            assertThat(status.get("value").stringValue()).isEqualTo("v");
            assertThat(status.get("nodes")).hasSize(1);
        }
    }

    @Test
    void aServerInFrontOfAMajority() {
        try (LockServer server = LockServer.builder()
                .port(0)
                .nodes("memory:", "memory:", "memory:")
                .start()) {
            Http http = new Http(server);

            http.acquire("{'lock':'a'}").is(201);

            assertThat(http.acquire("{'lock':'a'}")
                            .isProblem(409, "held")
                            .json()
                            .get("nodes"))
                    .hasSize(3);
            JsonNode nodes = http.get("/v1/nodes").is(200).json();
            assertThat(nodes.get("hasMajority").booleanValue()).isTrue();
            assertThat(nodes.get("nodes")).hasSize(3);
            assertThat(nodes.get("nodes").get(0).get("state").stringValue()).isEqualTo("up");
            http.get("/readyz").is(200);
        }
    }
}
