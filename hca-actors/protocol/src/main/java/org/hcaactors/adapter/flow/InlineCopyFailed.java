// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why a completion's inline data could not be copied to the buffers of its request. */
public sealed interface InlineCopyFailed extends Reason {
    /** Kinds of addresses under a key that are not addresses of the process. */
    enum Addresses {
        /** Physical addresses of the host. */
        PHYSICAL,

        /** Addresses of a null region. */
        OF_NOTHING,

        /** Addresses of a region whose first address is not that of its memory. */
        SHIFTED,

        /** Offsets through the parts that an indirect key maps. */
        INDIRECT,

        /** Addresses of a peer device, whose memory a CPU does not write. */
        OF_A_DEVICE
    }

    record NothingMapped(long address, int lengthBytes) implements InlineCopyFailed {}

    /** @param roomBytes total length of the request's buffers */
    record LongerThanBuffers(int lengthBytes, long roomBytes) implements InlineCopyFailed {}

    record NotByAddress(int key, Addresses addresses) implements InlineCopyFailed {}
}
