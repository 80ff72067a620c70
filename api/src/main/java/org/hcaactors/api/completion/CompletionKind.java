// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * {@code ibv_wc_opcode}; {@link #code()} is its value there (rule completion-codes).
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

    /** A receive was put into a tag list. */
    TM_ADD(130),

    /** A receive was taken out of a tag list, or was not there any more. */
    TM_DEL(131),

    /** What a program has dealt with was told. */
    TM_SYNC(132),

    /** A message with a tag. */
    TM_RECV(133),

    /** A message to a tag-matching queue that is not for matching. */
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

    /** Compare-and-swap or fetch-and-add, masked or not. */
    public boolean isAtomic() {
        return this == COMP_SWAP || this == FETCH_ADD || isMaskedAtomic();
    }

    /** Masked compare-and-swap or masked fetch-and-add. */
    public boolean isMaskedAtomic() {
        return this == MASKED_COMP_SWAP || this == MASKED_FETCH_ADD;
    }

    /** A request that changes a memory key of its own adapter, and sends nothing. */
    public boolean changesKey() {
        return this == BIND_MW || this == LOCAL_INV || this == UMR;
    }
}
