// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Serializer of bare messages: their bytes are copied into Artery's buffer, and out of it. Pekko creates it by its name. */
public final class BareMessageSerializer extends SerializerWithStringManifest implements ByteBufferSerializer {
    private static final int IDENTIFIER = 4_791_900;
    private static final int OVERHEAD = 1024;
    private static final String HELLO = "h";
    private static final String BYTES = "b";
    private static final String DONE = "d";

    private final ActorRefResolver references;

    /** Called by Pekko. */
    public BareMessageSerializer(ExtendedActorSystem system) {
        references = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return switch ((BareMessage) object) {
            case BareMessage.Hello hello -> HELLO;
            case BareMessage.Bytes bytes -> BYTES;
            case BareMessage.Done done -> DONE;
        };
    }

    @Override
    public byte[] toBinary(Object object) {
        int data = object instanceof BareMessage.Bytes bytes ? bytes.data().length : 0;
        ByteBuffer buffer = ByteBuffer.allocate(OVERHEAD + data);
        toBinary(object, buffer);
        byte[] all = new byte[buffer.position()];
        buffer.flip().get(all);
        return all;
    }

    @Override
    public void toBinary(Object object, ByteBuffer buffer) {
        switch ((BareMessage) object) {
            case BareMessage.Hello(var replyTo) -> {
                byte[] text = references.toSerializationFormat(replyTo).getBytes(StandardCharsets.UTF_8);
                buffer.putInt(text.length).put(text);
            }
            case BareMessage.Bytes(var data, var last) ->
                buffer.putInt(data.length).put((byte) (last ? 1 : 0)).put(data);
            case BareMessage.Done done -> buffer.putInt(0);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        return fromBinary(ByteBuffer.wrap(bytes), manifest);
    }

    @Override
    public Object fromBinary(ByteBuffer buffer, String manifest) throws NotSerializableException {
        byte[] data = new byte[buffer.getInt()];
        switch (manifest) {
            case HELLO -> {
                buffer.get(data);
                return new BareMessage.Hello(references.resolveActorRef(new String(data, StandardCharsets.UTF_8)));
            }
            case BYTES -> {
                boolean last = buffer.get() != 0;
                buffer.get(data);
                return new BareMessage.Bytes(data, last);
            }
            case DONE -> {
                return new BareMessage.Done();
            }
            default -> throw new NotSerializableException(manifest);
        }
    }
}
