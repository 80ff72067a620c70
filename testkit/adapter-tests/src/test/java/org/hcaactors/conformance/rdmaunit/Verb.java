// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;

/** The verbs that name the peer's memory. */
enum Verb {
    READ(CompletionKind.RDMA_READ, Access.REMOTE_READ),
    WRITE(CompletionKind.RDMA_WRITE, Access.REMOTE_WRITE),
    FETCH_ADD(CompletionKind.FETCH_ADD, Access.REMOTE_ATOMIC),
    COMPARE_SWAP(CompletionKind.COMP_SWAP, Access.REMOTE_ATOMIC);

    private final CompletionKind kind;
    private final Access needs;

    Verb(CompletionKind kind, Access needs) {
        this.kind = kind;
        this.needs = needs;
    }

    CompletionKind kind() {
        return kind;
    }

    /** Returns the one right that the peer's key needs. */
    Access needs() {
        return needs;
    }

    /** Returns an unsignaled request; an atomic uses the first eight bytes of {@code local}. */
    RcWork work(long id, LocalSlice local, RemoteAddress remote) {
        LocalSlice word = new LocalSlice(local.lkey(), local.address(), 8);
        return switch (this) {
            case READ -> RdmaRead.of(id, local, remote);
            case WRITE -> RdmaWrite.of(id, local, remote);
            case FETCH_ADD -> FetchAdd.of(id, word, remote, 1);
            case COMPARE_SWAP -> CompareAndSwap.of(id, word, remote, 1, 1);
        };
    }
}
