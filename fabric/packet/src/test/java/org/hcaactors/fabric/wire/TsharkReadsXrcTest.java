// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/**
 * XRC frames that were not made by this project's codec, as tshark decodes them: it does not decode the headers after the BTH.
 */
class TsharkReadsXrcTest {
    private static final MadeFrames FRAMES = new MadeFrames("xrc");

    // rules wire-bth, wire-xrc-requests
    @Test
    void everyHeaderIsReadAsTsharkReadsIt() throws IOException {
        FRAMES.assertReadTheSame(TsharkReadsXrcTest::asTsharkPrintsIt);
    }

    private static String asTsharkPrintsIt(Packet packet) {
        Bth bth = packet.bth();
        return "%d\t%d\t0x%06x\t%d\t%d\t%s"
                .formatted(
                        bth.opcode().code(),
                        bth.pkey(),
                        bth.destQp(),
                        bth.ackReq() ? 1 : 0,
                        bth.psn(),
                        packet.operation().isMasked()
                                ? "Unknown"
                                : "Extended Reliable Connection (XRC) - " + MadeFrames.operation(packet.operation()));
    }

    // rules wire-icrc, wire-xrc-header
    @Test
    void theirChecksumsAreRightAndTheirRequestsNameTheirQueue() throws IOException {
        assertThat(FRAMES.read()).hasSize(25).allSatisfy(frame -> {
            MadeFrames.assertChecksum(frame);
            if (!frame.packet().operation().isResponse()) {
                assertThat(frame.packet().xrcEth().srqNumber()).isEqualTo(0xABCD);
            }
        });
    }
}
