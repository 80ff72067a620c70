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

/** What of a request's data is read while it is posted. */
final class InlinePosting {
    private InlinePosting() {}

    // rule post-inline
    /**
     * The data itself; VerbsException where the request can have none with it, or not so much.
     *
     * @param length of the data, in bytes
     */
    @MutationPoint("inline-posting.copy")
    static Octets copy(WorkRequest work, long length, QpPlan plan, QueuePairCommands door) {
        if (!(work instanceof Send || work instanceof RdmaWrite)) {
            throw VerbsException.invalid("only SEND and RDMA WRITE can be inline");
        }
        int max = plan.capacity().maxInlineBytes();
        if (length > max) {
            throw new VerbsException(Errno.ENOMEM, length + " bytes of inline data; " + max + " are allowed");
        }
        byte[] copy = new byte[(int) length];
        int at = 0;
        for (LocalSlice slice : work.local()) {
            // An empty element points nowhere; its address does not matter (rule memory-touched-bytes).
            if (slice.lengthBytes() > 0) {
                door.readMemory(slice.address(), copy, at, slice.lengthBytes());
                at += slice.lengthBytes();
            }
        }
        return Octets.wrap(copy, 0, copy.length);
    }
}
