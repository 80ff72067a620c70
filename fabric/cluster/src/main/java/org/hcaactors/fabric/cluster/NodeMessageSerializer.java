// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Serializer of the messages between nodes: packets are encoded straight into Artery's buffers, and decoded from them. Pekko creates
 * it by its name in the configuration.
 */
public final class NodeMessageSerializer extends SerializerWithStringManifest implements ByteBufferSerializer {
    private static final int IDENTIFIER = 4_791_001;
    private static final int SMALL = 4096;

    private static final String HELLO = "h";
    private static final String WELCOME = "w";
    private static final String REFUSAL = "r";
    private static final String TRAIN = "t";
    private static final String GRANT = "g";
    private static final String PROBE = "p";

    private final ActorRefResolver references;

    /** Called by Pekko. */
    public NodeMessageSerializer(ExtendedActorSystem system) {
        references = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return switch ((NodeMessage) object) {
            case NodeMessage.Hello h -> HELLO;
            case NodeMessage.Welcome w -> WELCOME;
            case NodeMessage.Refusal r -> REFUSAL;
            case NodeMessage.Train t -> TRAIN;
            case NodeMessage.Grant g -> GRANT;
            case NodeMessage.Probe p -> PROBE;
        };
    }

    @Override
    public byte[] toBinary(Object object) {
        ByteBuffer buffer = ByteBuffer.allocate(boundBytes((NodeMessage) object));
        toBinary(object, buffer);
        byte[] bytes = new byte[buffer.position()];
        buffer.flip().get(bytes);
        return bytes;
    }

    private static int boundBytes(NodeMessage message) {
        return SMALL
                + (message instanceof NodeMessage.Train train
                        ? train.packets().stream()
                                .mapToInt(TrainCodec::boundBytes)
                                .sum()
                        : 0);
    }

    @Override
    public void toBinary(Object object, ByteBuffer buffer) {
        ByteOrder order = buffer.order();
        buffer.order(ByteOrder.BIG_ENDIAN);
        NodeMessage message = (NodeMessage) object;
        buffer.putLong(message.from());
        switch (message) {
            case NodeMessage.Hello hello -> {
                buffer.putInt(hello.oldest()).putInt(hello.newest());
                putText(references.toSerializationFormat(hello.replyTo()), buffer);
            }
            case NodeMessage.Welcome welcome -> buffer.putInt(welcome.window());
            case NodeMessage.Refusal refusal -> putText(refusal.reason(), buffer);
            case NodeMessage.Train train -> {
                buffer.putLong(train.first());
                TrainCodec.encode(train.packets(), buffer);
            }
            case NodeMessage.Grant grant -> buffer.putLong(grant.consumed());
            case NodeMessage.Probe probe -> buffer.putLong(probe.next());
        }
        buffer.order(order);
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        return fromBinary(ByteBuffer.wrap(bytes), manifest);
    }

    @Override
    public Object fromBinary(ByteBuffer buffer, String manifest) throws NotSerializableException {
        ByteOrder order = buffer.order();
        buffer.order(ByteOrder.BIG_ENDIAN);
        try {
            return read(buffer, manifest);
        } finally {
            buffer.order(order);
        }
    }

    private NodeMessage read(ByteBuffer buffer, String manifest) throws NotSerializableException {
        long from = buffer.getLong();
        return switch (manifest) {
            case HELLO ->
                new NodeMessage.Hello(
                        from, buffer.getInt(), buffer.getInt(), references.resolveActorRef(getText(buffer)));
            case WELCOME -> new NodeMessage.Welcome(from, buffer.getInt());
            case REFUSAL -> new NodeMessage.Refusal(from, getText(buffer));
            case TRAIN -> train(from, buffer);
            case GRANT -> new NodeMessage.Grant(from, buffer.getLong());
            case PROBE -> new NodeMessage.Probe(from, buffer.getLong());
            default -> throw new NotSerializableException("no message between nodes is called " + manifest);
        };
    }

    private static NodeMessage.Train train(long from, ByteBuffer buffer) {
        long first = buffer.getLong();
        List<Optional<Carried>> packets = TrainCodec.decode(buffer);
        return new NodeMessage.Train(
                from, first, packets.stream().flatMap(Optional::stream).toList(), packets.size());
    }

    private static void putText(String text, ByteBuffer buffer) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putInt(bytes.length).put(bytes);
    }

    private static String getText(ByteBuffer buffer) {
        byte[] bytes = new byte[Math.min(buffer.getInt(), buffer.remaining())];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
