package dev.holdfast.server.client;

import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a client asks of a server that is its node (PROTOCOL §3), as JSON objects. The first one of a connection is {@link Hello}. A frame of the WebSocket has
 * one or more of them, a line each; they are carried out in their order, and answered in any, each with the request's {@code id}.
 *
 * <pre>
 * {"id":1,"op":"hello","protocol":1,"client":"billing@host-7~a1b2c3d4e5f6"}
 * {"id":2,"op":"acquire","resource":"lock:orders:42","owner":"billing@host-7~a1b2c3d4e5f6/1763770000000000/0","mode":"EX",
 *  "ttlMillis":30000,"queue":true,"waiterTtlMillis":10000,"tokens":1,"floor":0,"heal":false}
 * {"id":3,"op":"release","resource":"lock:orders:42","owner":"billing@host-7~a1b2c3d4e5f6/1763770000000000/0","buryMillis":0}
 * {"id":4,"op":"inspect","resource":"lock:orders:42"}
 * {"id":5,"op":"list","prefix":"lock:orders:","limit":100}
 * {"id":6,"op":"status"}
 * </pre>
 */
public sealed interface NodeRequest {

    /** The version of what this package says. */
    int PROTOCOL = 1;

    /** The path at the server. */
    String PATH = "/v1/node";

    /** How many characters one frame may have at most, either way. */
    int MOST_FRAME_CHARS = 1 << 20;

    /**
     * Who asks.
     *
     * @param protocol the version that the client speaks
     * @param client the client part of its owner ids
     */
    record Hello(int protocol, String client) implements NodeRequest {
        public Hello {
            if (!OwnerId.isClient(client)) {
                throw new BadMessageException("the field 'client' must be the client part of owner ids");
            }
        }
    }

    /** ACQUIRE. */
    record Acquire(AcquireRequest request) implements NodeRequest {}

    /** RELEASE. */
    record Release(ReleaseRequest request) implements NodeRequest {}

    /** INSPECT. */
    record Inspect(String resource) implements NodeRequest {}

    /** LIST. */
    record Names(String prefix, int limit) implements NodeRequest {
        public Names {
            if (limit < 1) {
                throw new BadMessageException("the field 'limit' is " + limit + ", but must be at least 1");
            }
        }
    }

    /** How the server is. */
    record Status() implements NodeRequest {}

    /**
     * A request with its id, which is the client's to choose: different among those that are not answered yet.
     *
     * @param id 0 or more
     */
    record Numbered(long id, NodeRequest request) {

        /**
         * Reads one line.
         *
         * @throws IllegalArgumentException if it is none; without the id of the request, since that may be what is wrong
         */
        public static Numbered parse(String line) {
            JsonFields fields = JsonFields.parse(line);
            return new Numbered(fields.number("id"), request(fields));
        }

        private static NodeRequest request(JsonFields fields) {
            String op = fields.text("op");
            return switch (op) {
                case "hello" -> new Hello(fields.smallNumber("protocol"), fields.text("client"));
                case "acquire" -> new Acquire(acquire(fields));
                case "release" ->
                    new Release(new ReleaseRequest(
                            fields.text("resource"),
                            fields.owner("owner"),
                            fields.number("buryMillis"),
                            fields.seal(),
                            fields.value()));
                case "inspect" -> new Inspect(fields.text("resource"));
                case "list" -> new Names(fields.text("prefix"), fields.smallNumber("limit"));
                case "status" -> new Status();
                default ->
                    throw new BadMessageException(
                            "the field 'op' is none of hello, acquire, release, inspect, list and status");
            };
        }

        private static AcquireRequest acquire(JsonFields fields) {
            return new AcquireRequest(
                    fields.text("resource"),
                    fields.owner("owner"),
                    fields.mode(),
                    fields.number("ttlMillis"),
                    fields.truth("queue"),
                    fields.number("waiterTtlMillis"),
                    fields.smallNumber("tokens"),
                    fields.number("floor"),
                    fields.truth("heal"),
                    fields.value());
        }

        /** One line, without its end. */
        public String text() {
            ObjectNode object = JsonFields.object().put("id", id);
            if (request instanceof Hello hello) {
                object.put("op", "hello").put("protocol", hello.protocol()).put("client", hello.client());
            } else if (request instanceof Acquire acquire) {
                put(object.put("op", "acquire"), acquire.request());
            } else if (request instanceof Release release) {
                put(object.put("op", "release"), release.request());
            } else if (request instanceof Inspect inspect) {
                object.put("op", "inspect").put("resource", inspect.resource());
            } else if (request instanceof Names names) {
                object.put("op", "list").put("prefix", names.prefix()).put("limit", names.limit());
            } else {
                object.put("op", "status");
            }
            return object.toString();
        }

        private static void put(ObjectNode object, AcquireRequest request) {
            object.put("resource", request.resource())
                    .put("owner", request.owner().toString())
                    .put("mode", request.mode().name())
                    .put("ttlMillis", request.ttlMillis())
                    .put("queue", request.queue())
                    .put("waiterTtlMillis", request.waiterTtlMillis())
                    .put("tokens", request.tokens())
                    .put("floor", request.floor())
                    .put("heal", request.heal());
            JsonFields.put(object, request.value());
        }

        private static void put(ObjectNode object, ReleaseRequest request) {
            object.put("resource", request.resource())
                    .put("owner", request.owner().toString())
                    .put("buryMillis", request.buryMillis());
            JsonFields.put(object, request.seal());
            JsonFields.put(object, request.value());
        }
    }
}
