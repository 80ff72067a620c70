// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.PacketCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** External views of a session: labels in the ladder, and comments on packets whose format is this model's own. */
class DcInCapturesTest {
    /** Long enough for an idle initiator to end its session. */
    private static final Duration UNTIL_IDLE = Duration.ofMillis(1);

    @TempDir
    Path folder;

    private static World written() {
        World world = World.of(5);
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = ground.initiator(world.adapter("a"));
        DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
        RdmaWrite write = RdmaWrite.of(1, initiator.slice(0, 64), asked.remote(4096));
        assertThat(initiator.submit(initiator.to(asked), write).status()).isEqualTo(Status.SUCCESS);
        world.runFor(UNTIL_IDLE);
        return world;
    }

    private List<CapturedFrame> captured(World world) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PacketCapture.write(world.trace().events(), bytes);
        Path file = Files.write(folder.resolve("packets.pcapng"), bytes.toByteArray());
        List<CapturedFrame> frames = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            for (Optional<CapturedFrame> next = reader.next(); next.isPresent(); next = reader.next()) {
                frames.add(next.get());
            }
        }
        return frames;
    }

    private static Packet packet(CapturedFrame frame) {
        return ((Decoded.Frame) FrameDecoder.decode(frame.bytes().toArray(), LinkLayer.ETHERNET))
                .frame()
                .packet();
    }

    // rules wire-dc-connect, wire-dc-header
    @Test
    void theLadderShowsInitiatorsAndSessionsOfPackets() {
        try (World world = written()) {
            assertThat(String.join("\n", Ladder.of(world.trace().events())))
                    .containsPattern("CONNECT psn \\d+ from qp \\d+ key 0x1122334455667788 ─")
                    .containsPattern("ACK psn \\d+ session \\d+ msn 0 ─")
                    .containsPattern("WRITE_ONLY psn \\d+( session \\d+)? 64 B ─")
                    .containsPattern("DISCONNECT psn \\d+ session \\d+ ─");
        }
    }

    // rules wire-dc-class, wire-dc-header, wire-dc-connect
    @Test
    void aCaptureMarksTheOwnFormatOfEveryDcPacket() throws IOException {
        try (World world = written()) {
            List<CapturedFrame> frames = captured(world);
            assertThat(frames)
                    .extracting(frame -> packet(frame).opcode())
                    .contains(Opcode.DC_CONNECT, Opcode.DC_DISCONNECT);
            assertThat(frames).allSatisfy(frame -> {
                String version = "this model's own: version 1 in the DCETH (rule wire-dc-header)";
                assertThat(frame.comments())
                        .contains(
                                switch (packet(frame).operation()) {
                                    case CONNECT, ACKNOWLEDGE -> version;
                                    case DISCONNECT ->
                                        version
                                                + "; 0x55 with the solicited bit ends the session (rule wire-dc-connect)";
                                    default -> version + "; what is behind the DCETH is as in RC (rule wire-dc-class)";
                                });
            });
        }
    }

    // rules wire-dc-masked, wire-masked-atomic
    @Test
    void aCaptureMarksTheOwnFormatOfAMaskedAtomic() throws IOException {
        try (World world = World.of(6)) {
            DcSetup ground = new DcSetup(world);
            DcSetup.InitiatorSide initiator = ground.initiator(world.adapter("a"));
            DcSetup.TargetSide asked = ground.asked(world.adapter("b"));
            MaskedFetchAdd add = MaskedFetchAdd.of(1, initiator.slice(0, 8), asked.remote(0), 1);
            initiator.submit(initiator.to(asked), add);
            assertThat(captured(world))
                    .filteredOn(frame -> packet(frame).opcode() == Opcode.DC_MASKED_FETCH_ADD)
                    .isNotEmpty()
                    .allSatisfy(frame -> assertThat(frame.comments())
                            .anySatisfy(told -> assertThat(told)
                                    .startsWith("this model's own: opcode 0xd4 and what is behind the BTH"
                                            + " (rule wire-dc-masked); version 1")));
        }
    }
}
