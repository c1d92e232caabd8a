package dev.holdfast.server.client;

import dev.holdfast.node.AcquireRequest;
import dev.holdfast.node.OwnerId;
import dev.holdfast.node.ReleaseRequest;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request from a client to a server that is its node (PROTOCOL §3), as a JSON object. The first request of a connection is {@link Hello}. A frame of the
 * WebSocket carries one or more requests, one in each line. The server executes them in order, and may answer them in any order, each with the request's
 * {@code id}.
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

    /** The version of the protocol that this package implements. */
    int PROTOCOL = 1;

    /** The path on the server. */
    String PATH = "/v1/node";

    /** The maximum number of characters in one frame, in either direction. */
    int MOST_FRAME_CHARS = 1 << 20;

    /**
     * The client's introduction.
     *
     * @param protocol the protocol version of the client
     * @param client the client part of the client's owner ids
     */
    record Hello(int protocol, String client) implements NodeRequest {
        public Hello {
            if (!OwnerId.isClient(client)) {
                throw new BadMessageException("the field 'client' must be the client part of owner ids");
            }
        }
    }

    /** An ACQUIRE request. */
    record Acquire(AcquireRequest request) implements NodeRequest {}

    /** A RELEASE request. */
    record Release(ReleaseRequest request) implements NodeRequest {}

    /** An INSPECT request. */
    record Inspect(String resource) implements NodeRequest {}

    /** A LIST request. */
    record Names(String prefix, int limit) implements NodeRequest {
        public Names {
            if (limit < 1) {
                throw new BadMessageException("the field 'limit' is " + limit + ", but must be at least 1");
            }
        }
    }

    /** A request for the state of the server. */
    record Status() implements NodeRequest {}

    /**
     * A request with its id. The client chooses the id, which must differ from the ids of its other unanswered requests.
     *
     * @param id 0 or more
     */
    record Numbered(long id, NodeRequest request) {

        /**
         * Reads one line.
         *
         * @throws IllegalArgumentException if the line is not a request; the message omits the id, which may be the invalid part
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
                            "the field 'op' is not one of hello, acquire, release, inspect, list and status");
            };
        }

        private static AcquireRequest acquire(JsonFields fields) {
            return new AcquireRequest(
                    fields.text("resource"),
                    fields.owner("owner"),
                    fields.mode(),
                    new AcquireRequest.Terms(
                            fields.number("ttlMillis"), fields.number("waiterTtlMillis"), fields.smallNumber("tokens")),
                    fields.truth("queue"),
                    new AcquireRequest.Update(fields.number("floor"), fields.truth("heal"), fields.value()));
        }

        /** Returns the request as one line, without the line end. */
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
            return JsonTree.text(object);
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
