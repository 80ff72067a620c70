// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.wire.TruncatedFrame;

/** Descriptions of packets that the capture cut off, in the form of complete ones. */
public final class CutWording {
    private CutWording() {}

    /**
     * Returns {@code WRITE_ONLY psn 100 64 B}: without values of headers that are missing, with the payload length on the wire.
     */
    public static String of(TruncatedFrame cut) {
        String what = cut.packet()
                .map(packet -> Wording.of(packet.withPayload(Octets.NONE)))
                .orElseGet(() -> cut.bth().opcode().operation().name() + " psn "
                        + cut.bth().psn());
        return what + (cut.payloadBytes() == 0 ? "" : " " + cut.payloadBytes() + " B");
    }
}
