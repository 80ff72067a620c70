// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * Kind of a completed operation ({@code ibv_wc_opcode}); {@link #code()} is its value there (rule completion-codes).
 *
 * <p>More will follow: a switch over them wants a default.
 */
public enum CompletionKind {
    SEND(0),
    RDMA_WRITE(1),
    RDMA_READ(2),
    COMP_SWAP(3),
    FETCH_ADD(4),
    BIND_MW(5),
    LOCAL_INV(6),

    /** {@code IBV_EXP_WC_MASKED_COMP_SWAP}. */
    MASKED_COMP_SWAP(9),

    /** {@code IBV_EXP_WC_MASKED_FETCH_ADD}. */
    MASKED_FETCH_ADD(10),
    RECV(128),
    RECV_RDMA_WITH_IMM(129),

    /** A receive was added to a tag list. */
    TM_ADD(130),

    /** A receive was removed from a tag list, or had already left it. */
    TM_DEL(131),

    /** The number of handled unexpected messages was reported to the adapter. */
    TM_SYNC(132),

    /** A message with a tag. */
    TM_RECV(133),

    /** A message without a tag to a tag-matching queue. */
    TM_NO_TAG(134),

    /** {@code MLX5DV_WC_UMR}. */
    UMR(135);

    private final int code;

    CompletionKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** True for compare-and-swap and fetch-and-add, masked or not. */
    public boolean isAtomic() {
        return this == COMP_SWAP || this == FETCH_ADD || isMaskedAtomic();
    }

    /** True for masked compare-and-swap and masked fetch-and-add. */
    public boolean isMaskedAtomic() {
        return this == MASKED_COMP_SWAP || this == MASKED_FETCH_ADD;
    }

    /** True for requests that change a memory key of the local adapter and send nothing. */
    public boolean changesKey() {
        return this == BIND_MW || this == LOCAL_INV || this == UMR;
    }
}
