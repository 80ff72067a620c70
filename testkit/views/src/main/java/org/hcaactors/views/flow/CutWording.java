// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.wire.CutFrame;

/** Packets that were cut short by who captured them, in the words of whole ones. */
public final class CutWording {
    private CutWording() {}

    /** {@code WRITE_ONLY psn 100 64 B}: without what headers say that are not there, with the payload's length on the wire. */
    public static String of(CutFrame cut) {
        String what = cut.packet()
                .map(packet -> Wording.of(packet.withPayload(Octets.NONE)))
                .orElseGet(() -> cut.bth().opcode().operation().name() + " psn "
                        + cut.bth().psn());
        return what + (cut.payloadBytes() == 0 ? "" : " " + cut.payloadBytes() + " B");
    }
}
