// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.recording.Difference;
import org.hcaactors.fabric.recording.Difference.Kind;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Replay;
import org.hcaactors.fabric.recording.ReplayException;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** Programs that do otherwise than recorded, and captures that cannot be played. */
class DifferencesTest {
    private static final RecordedCable PING_PONG =
            RecordedWorld.capture("rc_pingpong_event.pcap", RecordedWorld.SERVER);
    private static final int PING_BYTES = 64;

    private static Difference difference(RecordedWorld side) {
        ReplayException thrown = catchThrowableOfType(
                ReplayException.class, () -> side.world.runFor(RecordedCable.DEFAULT_PATIENCE.multipliedBy(2)));
        assertThat(side.peer.replay())
                .isInstanceOfSatisfying(
                        Replay.Stopped.class,
                        stopped -> assertThat(stopped.difference()).isEqualTo(thrown.difference()));
        return thrown.difference();
    }

    @Test
    void aMessageOfAnotherLengthIsReported() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG)) {
            RcQueuePair qp = side.connect(PING_PONG.queuePairs().getFirst());
            qp.post(Send.of(1, side.region.slice(0, PING_BYTES + 4)));
            Difference difference = difference(side);
            assertThat(difference.kind()).isEqualTo(Kind.OTHER_FIELDS);
            assertThat(difference.frame()).hasValue(1);
            assertThat(difference.fields()).containsExactly(new Difference.Field("payload bytes", "64", "68"));
        }
    }

    @Test
    void anotherOperationIsReported() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG)) {
            RcQueuePair qp = side.connect(PING_PONG.queuePairs().getFirst());
            qp.post(RdmaWrite.of(1, side.region.slice(0, PING_BYTES), new RemoteAddress(1, 2)));
            assertThat(difference(side).text())
                    .matches("this side sent RC WRITE_ONLY psn \\d+ 64 B to qp \\d+ in place of frame 1, RC SEND_ONLY"
                            + " psn \\d+ 64 B to qp \\d+ \\(opcode RC_WRITE_ONLY, recorded RC_SEND_ONLY\\)");
        }
    }

    @Test
    void otherMemoryOfThePeerIsReported() {
        RecordedCable cable = RecordedWorld.capture("read_lat.pcap", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            RecordedQueuePair ends = cable.queuePairs().getFirst();
            RecordedMemory memory = ends.peerMemory().getFirst();
            side.connect(ends)
                    .post(RdmaRead.of(
                            1, side.region.slice(0, 8), new RemoteAddress(memory.rkey(), memory.address() + 8)));
            assertThat(difference(side).fields())
                    .singleElement()
                    .satisfies(field -> assertThat(field.name()).isEqualTo("RETH"));
        }
    }

    @Test
    void otherBytesAreReportedIfTheyAreCompared() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG.comparingPayloads())) {
            side.memory.write(0, new byte[] {123, 45});
            side.connect(PING_PONG.queuePairs().getFirst()).post(Send.of(1, side.region.slice(0, PING_BYTES)));
            assertThat(difference(side).fields())
                    .containsExactly(new Difference.Field("payload byte 1", "0x7b", "0x2d"));
        }
    }

    @Test
    void aQueuePairThatThePeerHasNotIsReported() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG)) {
            RecordedQueuePair ends = PING_PONG.queuePairs().getFirst();
            RecordedQueuePair other = new RecordedQueuePair(
                    ends.transport(),
                    ends.address(),
                    ends.number(),
                    ends.firstPsn(),
                    ends.peerNumber() + 1,
                    ends.peerFirstPsn(),
                    ends.memory(),
                    ends.peerMemory());
            assertThatThrownBy(() -> side.connect(other)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aPacketThatDoesNotComeIsReported() {
        RecordedCable impatient = PING_PONG.withPatience(Duration.ofMillis(50));
        try (RecordedWorld side = RecordedWorld.of(1, impatient)) {
            side.connect(PING_PONG.queuePairs().getFirst());
            side.peer.start();
            Difference difference = difference(side);
            assertThat(difference.kind()).isEqualTo(Kind.MISSING);
            assertThat(difference.text())
                    .startsWith("the peer waits for frame 1, RC SEND_ONLY psn ")
                    .endsWith(", which did not come in 0.05 s");
        }
    }

    @Test
    void theTraceShowsWhyAPacketHasNoAnswer() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG)) {
            side.connect(PING_PONG.queuePairs().getFirst()).post(Send.of(1, side.region.slice(0, 8)));
            Difference difference = difference(side);
            side.world.settle();
            assertThat(side.world.trace().of(FabricEvent.Dropped.class).map(FabricEvent.Dropped::reason))
                    .containsExactly(difference.text());
        }
    }

    @Test
    void thePeerWaitsForThePacketThatComesNext() {
        try (RecordedWorld side = RecordedWorld.of(1, PING_PONG)) {
            side.connect(PING_PONG.queuePairs().getFirst());
            side.peer.start();
            side.world.runFor(Duration.ofMillis(1));
            assertThat(side.peer.replay())
                    .isInstanceOfSatisfying(
                            Replay.Playing.class,
                            playing -> assertThat(playing.awaited())
                                    .hasValueSatisfying(
                                            packet -> assertThat(packet.frame()).isEqualTo(1)));
        }
    }

    @Test
    void anAddressWithoutPacketsIsRefused() throws IOException {
        InetAddress nobody = InetAddress.getByName("10.9.9.9");
        assertThatThrownBy(() -> Cable.recorded(RecordedWorld.path("rping.pcap"), nobody))
                .isInstanceOf(CableException.class)
                .hasMessage("rping.pcap can't be played: no packet is from or to 10.9.9.9; RoCE packets come from"
                        + " [10.77.0.3, 10.77.0.2]");
    }

    @Test
    void bytesThatAreNoCaptureAreRefused() {
        assertThatThrownBy(() -> Cable.recorded(new byte[100], RecordedWorld.address(RecordedWorld.SERVER)))
                .isInstanceOf(CableException.class)
                .hasMessageStartingWith("a capture of 100 bytes can't be played: the file is neither pcap nor pcapng");
    }

    /** The first record of a pcap file has its lengths behind 24 bytes of the file and 8 of time stamps. */
    @Test
    void aCaptureOfCutPacketsIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(RecordedWorld.path("op_write_sizes.pcap"));
        int keep = 60;
        byte[] cut = Arrays.copyOf(bytes, 24 + 16 + keep);
        cut[32] = (byte) keep;
        cut[33] = 0;
        assertThatThrownBy(() -> Cable.recorded(cut, RecordedWorld.address(RecordedWorld.SERVER)))
                .isInstanceOf(CableException.class)
                .hasMessageContaining("frame 1 is cut, so it can't be played; capture whole packets (tcpdump -s 0)");
    }

    @Test
    void aNetworkWithoutARecordingHasNoRecordedPeer() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            assertThatThrownBy(network::recordedPeer)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Cable.recorded");
        }
    }

    @Test
    void aRecordingPlaysInRealTime() throws Exception {
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withCable(PING_PONG))) {
            network.addAdapter("hca", Profile.CONNECTX_5);
            assertThat(network.adapter("hca").orElseThrow().gid().toInetAddress())
                    .isEqualTo(InetAddress.getByName(RecordedWorld.CLIENT));
            network.recordedPeer().start();
            assertThat(network.cableCounters()).containsEntry(CableCounter.SENT.text(), 0L);
            assertThat(network.recordedPeer().replay()).isInstanceOf(Replay.Playing.class);
        }
    }
}
