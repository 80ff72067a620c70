// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * Fatal refusal of a request by a responder (rule rc-fault-told; IBA 9.7.5.2, table 61).
 *
 * @param syndrome syndrome of the NAK to the peer
 * @param fault status of the receive's completion, if the message holds a receive
 * @param reason reason for the trace
 */
record Refusal(int syndrome, Status fault, Reason reason) {
    static Refusal invalidRequest(Reason reason) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.REM_INV_REQ_ERR, reason);
    }

    /** The queue pair, or its adapter, does not allow this kind of request. */
    static Refusal notAllowed(Access right) {
        return invalidRequest(new RequestRefused.NotAllowed(right));
    }

    static Refusal beyondResources(int maxDestRdAtomic) {
        return invalidRequest(new RequestRefused.TooManyReads(maxDestRdAtomic));
    }

    static Refusal wrongLength(Packet packet, int mtuBytes) {
        return invalidRequest(new RequestRefused.PacketLength(
                packet.operation(), packet.payload().length(), mtuBytes));
    }

    static Refusal tooLong(Reason reason) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.LOC_LEN_ERR, reason);
    }

    static Refusal accessDenied(Reason reason) {
        return new Refusal(Syndrome.NAK_REMOTE_ACCESS, Status.LOC_ACCESS_ERR, reason);
    }

    static Refusal ownFault(Status fault, Reason reason) {
        return new Refusal(Syndrome.NAK_REMOTE_OPERATION, fault, reason);
    }
}
