// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * How a responder turns a request down for good (rule rc-fault-told; IBA 9.7.5.2, table 61).
 *
 * @param syndrome what its peer is told
 * @param fault what the receive completes with, if the message holds one
 * @param why as the trace has it
 */
record Refusal(int syndrome, Status fault, Reason why) {
    static Refusal invalidRequest(Reason why) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.REM_INV_REQ_ERR, why);
    }

    /** The queue pair, or its adapter, allows no such request at all. */
    static Refusal notAllowed(Access right) {
        return invalidRequest(new Refused.NotAllowed(right));
    }

    static Refusal beyondResources(int maxDestRdAtomic) {
        return invalidRequest(new Refused.TooManyReads(maxDestRdAtomic));
    }

    static Refusal wrongLength(Packet packet, int mtuBytes) {
        return invalidRequest(
                new Refused.PacketLength(packet.operation(), packet.payload().length(), mtuBytes));
    }

    static Refusal tooLong(Reason why) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.LOC_LEN_ERR, why);
    }

    static Refusal accessDenied(Reason why) {
        return new Refusal(Syndrome.NAK_REMOTE_ACCESS, Status.LOC_ACCESS_ERR, why);
    }

    static Refusal ownFault(Status fault, Reason why) {
        return new Refusal(Syndrome.NAK_REMOTE_OPERATION, fault, why);
    }
}
