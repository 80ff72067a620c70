// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * How a responder turns a request down for good (rule rc-fault-told; IBA 9.7.5.2, table 61).
 *
 * @param syndrome what its peer is told
 * @param fault what the receive completes with, if the message holds one
 * @param why in words
 */
record Refusal(int syndrome, Status fault, String why) {
    static Refusal invalidRequest(String why) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.REM_INV_REQ_ERR, why);
    }

    /** The queue pair, or its adapter, allows no such request at all. */
    static Refusal notAllowed(Access right) {
        return invalidRequest("the queue pair does not allow " + right);
    }

    static Refusal beyondResources(int maxDestRdAtomic) {
        return invalidRequest("more READs and atomics at a time than its max_dest_rd_atomic of " + maxDestRdAtomic);
    }

    static Refusal wrongLength(Packet packet, int mtuBytes) {
        return invalidRequest(
                packet.operation() + " with " + packet.payload().length() + " bytes at a path MTU of " + mtuBytes);
    }

    static Refusal tooLong(String why) {
        return new Refusal(Syndrome.NAK_INVALID_REQUEST, Status.LOC_LEN_ERR, why);
    }

    static Refusal accessDenied(String why) {
        return new Refusal(Syndrome.NAK_REMOTE_ACCESS, Status.LOC_ACCESS_ERR, why);
    }

    static Refusal ownFault(Status fault, String why) {
        return new Refusal(Syndrome.NAK_REMOTE_OPERATION, fault, why);
    }
}
