// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/** Kinds of packets that are drawn differently; more kinds could not be distinguished by every reader. */
enum OpcodeClass {
    SEND,
    WRITE,
    READ,
    ATOMIC,
    ACKNOWLEDGE,
    /** NAKs, DC sessions and congestion notifications. */
    CONTROL;

    static OpcodeClass of(Packet packet) {
        Operation operation = packet.operation();
        return switch (operation.family()) {
            case SEND, SEND_WITH_INVALIDATE -> SEND;
            case WRITE -> WRITE;
            case READ, READ_RESPONSE -> READ;
            case ATOMIC, ATOMIC_ACKNOWLEDGE -> ATOMIC;
            case ACKNOWLEDGE -> Syndrome.isAck(packet.aeth().syndrome()) ? ACKNOWLEDGE : CONTROL;
            case NOTIFY, SESSION -> CONTROL;
        };
    }
}
