// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;

/** Reader of the inline data of a request that is posted. */
final class InlinePosting {
    private InlinePosting() {}

    // rule post-inline
    /**
     * Returns a copy of the data.
     *
     * @param length of the data, in bytes
     * @throws VerbsException if the request cannot be inline, or has too much data
     */
    @MutationPoint("inline-posting.copy")
    static Octets copy(WorkRequest work, long length, QpPlan plan, QueuePairCommands commands) {
        if (!(work instanceof Send || work instanceof RdmaWrite)) {
            throw VerbsException.invalid("the request can't be inline; only SEND and RDMA WRITE can");
        }
        int max = plan.capacity().maxInlineBytes();
        if (length > max) {
            throw new VerbsException(
                    Errno.ENOMEM, "the inline data have " + length + " bytes; at most " + max + " are allowed");
        }
        byte[] copy = new byte[(int) length];
        int at = 0;
        for (LocalSlice slice : work.local()) {
            // The address of an empty element is not accessed and does not matter (rule memory-touched-bytes).
            if (slice.lengthBytes() > 0) {
                commands.readMemory(slice.address(), copy, at, slice.lengthBytes());
                at += slice.lengthBytes();
            }
        }
        return Octets.wrap(copy, 0, copy.length);
    }
}
