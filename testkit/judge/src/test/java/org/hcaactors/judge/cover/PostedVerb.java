// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;

/** The posted request. */
enum PostedVerb {
    SEND(Send.class),
    SEND_IMM(Send.class),
    /** Invalidates a window's key if the queue pair can bind one, otherwise an indirect key. */
    SEND_INV(Send.class),
    WRITE(RdmaWrite.class),
    WRITE_IMM(RdmaWrite.class),
    /** A WRITE of tunneled atomics. */
    TUNNELED(RdmaWrite.class),
    READ(RdmaRead.class),
    SWAP(CompareAndSwap.class),
    ADD(FetchAdd.class),
    MASKED_SWAP(MaskedCompareAndSwap.class),
    MASKED_ADD(MaskedFetchAdd.class),
    BIND_1(BindWindow.class),
    BIND_2(BindWindow.class),
    INVALIDATE_WINDOW(LocalInvalidate.class),
    INVALIDATE_KEY(LocalInvalidate.class),
    FILL(FillKey.class);

    private final Class<? extends WorkRequest> request;

    PostedVerb(Class<? extends WorkRequest> request) {
        this.request = request;
    }

    Class<? extends WorkRequest> request() {
        return request;
    }

    boolean isSend() {
        return request == Send.class;
    }

    boolean isWrite() {
        return request == RdmaWrite.class;
    }

    boolean isMasked() {
        return this == MASKED_SWAP || this == MASKED_ADD;
    }

    boolean isAtomic() {
        return this == SWAP || this == ADD || isMasked();
    }

    boolean changesKey() {
        return switch (this) {
            case BIND_1, BIND_2, INVALIDATE_WINDOW, INVALIDATE_KEY, FILL -> true;
            default -> false;
        };
    }

    boolean takesReceive() {
        return isSend() || this == WRITE_IMM;
    }

    /** True if the peer's memory is read or changed under its key. */
    boolean reachesFar() {
        return isWrite() || isAtomic() || this == READ;
    }
}
