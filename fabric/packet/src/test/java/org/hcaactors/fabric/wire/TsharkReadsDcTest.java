// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/**
 * DC frames that were not made by this project's codec, as tshark decodes them: BTH and acknowledgements; tshark skips the
 * DCETH.
 */
class TsharkReadsDcTest {
    private static final MadeFrames FRAMES = new MadeFrames("dc");
    private static final int INITIATOR = 0x22;
    private static final int TARGET = 0x11;

    // rules wire-bth, wire-dc-class, wire-dc-cnak
    @Test
    void theBthAndTheSyndromesOfAcknowledgementsReadTheSame() throws IOException {
        FRAMES.assertReadTheSame(TsharkReadsDcTest::asTsharkPrintsIt);
    }

    private static String asTsharkPrintsIt(Packet packet) {
        Bth bth = packet.bth();
        boolean acknowledges = packet.operation() == Operation.ACKNOWLEDGE;
        return "%d\t%d\t%d\t0x%06x\t%d\t%d\t%s\t%s"
                .formatted(
                        bth.opcode().code(),
                        bth.solicited() ? 1 : 0,
                        bth.pkey(),
                        bth.destQp(),
                        bth.ackReq() ? 1 : 0,
                        bth.psn(),
                        acknowledges
                                ? packet.aeth().syndrome() + "\t"
                                        + packet.aeth().msn()
                                : "\t",
                        name(packet.operation()));
    }

    /** tshark has the names of RD, which has no SEND with invalidate. */
    private static String name(Operation operation) {
        boolean unknown = operation.isMasked() || operation.family() == Family.SEND_WITH_INVALIDATE;
        return unknown ? "Unknown" : "Reliable Datagram (RD) - " + nameInRd(operation);
    }

    private static String nameInRd(Operation operation) {
        return operation.family() == Family.SESSION ? "RESYNC" : MadeFrames.operation(operation);
    }

    // rules wire-icrc, wire-dc-header
    @Test
    void theirChecksumsAreRightAndEachNamesBothOfItsEnds() throws IOException {
        assertThat(FRAMES.read()).hasSize(30).allSatisfy(frame -> {
            MadeFrames.assertChecksum(frame);
            boolean answers = frame.packet().operation().isResponse();
            assertThat(frame.packet().bth().destQp()).isEqualTo(answers ? INITIATOR : TARGET);
            assertThat(frame.packet().dcEth().sender()).isEqualTo(answers ? TARGET : INITIATOR);
        });
    }
}
