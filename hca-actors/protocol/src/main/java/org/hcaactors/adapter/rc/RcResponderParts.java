// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.fabric.packet.Packet;

/** Shared parts of an RC responder that every kind of request needs. */
record RcResponderParts(
        QpParts parts,
        RequestSequence sequence,
        RcRefusals refusals,
        ResponseQueue answers,
        ReplayRing replays,
        PendingPageFault pages) {
    QpSettings settings() {
        return parts.settings();
    }

    LocalMemory memory() {
        return parts.admission().memory();
    }

    MessageBuffer buffer() {
        return parts.buffer();
    }

    /** Handles a peer's READ, WRITE or atomic whose memory is not {@link Accessibility#READY}. */
    PacketOutcome unreached(Accessibility reach, Use use, Packet packet, Turn turn) {
        return switch (reach == Accessibility.ABSENT
                ? pages.raise(memory(), PageFault.Kind.REMOTE, use, turn)
                : reach) {
            case AWAITING -> PacketOutcome.AWAITING;
            case ABSENT -> refusals.pageAbsent(packet, memory().whatIsAbsent(), turn);
            case FORBIDDEN -> refusals.denied(packet, memory().whyNot(), turn);
            case READY -> throw new IllegalArgumentException(packet.opcode() + " has reached its memory");
        };
    }
}
