// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.NotSerializableException;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.hcaactors.api.address.Gid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlacementMessageSerializerTest {
    private static final Address NODE = Address.apply("pekko", "hca", "127.0.0.1", 25520);

    private final ActorTestKit kit = ActorTestKit.create();
    private final Serialization serialization = SerializationExtension.get(Adapter.toClassic(kit.system()));
    private final ActorRef<PlacementMessage.Answer> asker =
            kit.createTestProbe(PlacementMessage.Answer.class).ref();

    @AfterEach
    void shutDown() {
        kit.shutdownTestKit();
    }

    private PlacementMessageSerializer serializer() throws NotSerializableException {
        return (PlacementMessageSerializer) serialization.serializerFor(PlacementMessage.class);
    }

    @Test
    void messagesArriveAsTheyWereSent() throws NotSerializableException {
        for (PlacementMessage message : List.of(
                new PlacementMessage.Locate(asker),
                new PlacementMessage.Leave(Optional.of(NODE), asker),
                new PlacementMessage.Leave(Optional.empty(), asker),
                new PlacementMessage.At(NODE, new Gid(-1, 2)),
                new PlacementMessage.NotYet("later"),
                new PlacementMessage.Left(),
                new PlacementMessage.Refused(PlacementException.Reason.QUEUE_PAIRS, "3 queue pairs"))) {
            byte[] bytes = serializer().toBinary(message);
            assertThat(serializer().fromBinary(bytes, serializer().manifest(message)))
                    .isEqualTo(message);
        }
    }

    @Test
    void longWordsAreCutOff() throws NotSerializableException {
        PlacementMessage.NotYet message = new PlacementMessage.NotYet("x".repeat(100_000));
        assertThat(serializer()
                        .fromBinary(serializer().toBinary(message), serializer().manifest(message)))
                .isEqualTo(new PlacementMessage.NotYet("x".repeat(PlacementMessageSerializer.MAX_WORDS)));
    }

    @Test
    void whatIsNoMessageIsRefused() {
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> serializer().fromBinary(new byte[] {0, 9}, "a"));
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> serializer().fromBinary(new byte[0], "z"));
    }
}
