package dev.holdfast.cluster;

import com.alipay.sofa.jraft.rpc.ProtobufMsgFactory;
import com.google.protobuf.Message;

/** The content of the frames between servers: the engine's messages, which are of Protocol Buffers, and the questions beside the log. */
final class PeerCodec {

    private PeerCodec() {}

    /** Returns the kind of a message, by which {@link #read} knows it. */
    static String type(Object message) {
        return message.getClass().getName();
    }

    static byte[] bytes(Object message) {
        return message instanceof PeerMessage own ? own.bytes() : ((Message) message).toByteArray();
    }

    /** Returns the message. It throws an unchecked exception if this release cannot read it. */
    static Object read(String type, byte[] content) {
        return type.equals(PeerMessage.class.getName())
                ? PeerMessage.read(content)
                : ProtobufMsgFactory.newMessageByJavaClassName(type, content);
    }
}
