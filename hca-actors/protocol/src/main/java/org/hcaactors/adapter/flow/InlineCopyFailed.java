// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why what a completion carried could not be copied to where its request wanted it. */
public sealed interface InlineCopyFailed extends Reason {
    /** What the addresses under a key are, where they are not those of the process. */
    enum Addresses {
        /** Of the host's memory. */
        PHYSICAL,

        /** Of nothing. */
        OF_NOTHING,

        /** The region begins elsewhere than its memory. */
        SHIFTED,

        /** Counted through the parts that an indirect key shows. */
        INDIRECT,

        /** Of a peer device, whose memory a CPU does not write. */
        OF_A_DEVICE
    }

    record NothingMapped(long address, int lengthBytes) implements InlineCopyFailed {}

    /** @param roomBytes of the buffers that the request named */
    record LongerThanBuffers(int lengthBytes, long roomBytes) implements InlineCopyFailed {}

    record NotByAddress(int key, Addresses addresses) implements InlineCopyFailed {}
}
