// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.hcaactors.api.address.Gid;

/** Serializer of the messages of a placement. Pekko creates it by its name in the configuration. */
public final class PlacementMessageSerializer extends SerializerWithStringManifest {
    private static final int IDENTIFIER = 4_791_201;

    /** Characters of a reason in words, the longest of which come from exceptions; more are cut off. */
    static final int MAX_WORDS = 4000;

    private static final String LOCATE = "l";
    private static final String LEAVE = "v";
    private static final String AT = "a";
    private static final String NOT_YET = "n";
    private static final String LEFT = "f";
    private static final String REFUSED = "r";

    private final ActorRefResolver references;

    /** Called by Pekko. */
    public PlacementMessageSerializer(ExtendedActorSystem system) {
        references = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return switch ((PlacementMessage) object) {
            case PlacementMessage.Locate locate -> LOCATE;
            case PlacementMessage.Leave leave -> LEAVE;
            case PlacementMessage.At at -> AT;
            case PlacementMessage.NotYet later -> NOT_YET;
            case PlacementMessage.Left left -> LEFT;
            case PlacementMessage.Refused refused -> REFUSED;
        };
    }

    @Override
    public byte[] toBinary(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write((PlacementMessage) object, new DataOutputStream(bytes));
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    private void write(PlacementMessage message, DataOutputStream out) throws IOException {
        switch (message) {
            case PlacementMessage.Locate(var replyTo) -> out.writeUTF(references.toSerializationFormat(replyTo));
            case PlacementMessage.Leave(var to, var replyTo) -> {
                out.writeUTF(references.toSerializationFormat(replyTo));
                out.writeUTF(to.map(Address::toString).orElse(""));
            }
            case PlacementMessage.At(var node, var gid) -> {
                out.writeUTF(node.toString());
                out.writeLong(gid.high());
                out.writeLong(gid.low());
            }
            case PlacementMessage.NotYet(var words) -> out.writeUTF(cut(words));
            case PlacementMessage.Left left -> {}
            case PlacementMessage.Refused(var reason, var words) -> {
                out.writeUTF(reason.name());
                out.writeUTF(cut(words));
            }
        }
    }

    private static String cut(String words) {
        return words.substring(0, Math.min(words.length(), MAX_WORDS));
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        try {
            return read(new DataInputStream(new ByteArrayInputStream(bytes)), manifest);
        } catch (NotSerializableException unknown) {
            throw unknown;
        } catch (IOException | RuntimeException malformed) {
            throw new NotSerializableException("a message of a placement cannot be read: " + malformed);
        }
    }

    private PlacementMessage read(DataInputStream in, String manifest) throws IOException {
        return switch (manifest) {
            case LOCATE -> new PlacementMessage.Locate(reference(in));
            case LEAVE -> {
                ActorRef<PlacementMessage.Answer> replyTo = reference(in);
                String to = in.readUTF();
                yield new PlacementMessage.Leave(
                        to.isEmpty() ? Optional.empty() : Optional.of(AddressFromURIString.parse(to)), replyTo);
            }
            case AT ->
                new PlacementMessage.At(
                        AddressFromURIString.parse(in.readUTF()), new Gid(in.readLong(), in.readLong()));
            case NOT_YET -> new PlacementMessage.NotYet(in.readUTF());
            case LEFT -> new PlacementMessage.Left();
            case REFUSED -> new PlacementMessage.Refused(PlacementException.Reason.valueOf(in.readUTF()), in.readUTF());
            default -> throw new NotSerializableException("no message of a placement is called " + manifest);
        };
    }

    private ActorRef<PlacementMessage.Answer> reference(DataInputStream in) throws IOException {
        return references.resolveActorRef(in.readUTF());
    }
}
