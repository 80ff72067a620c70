// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.Transport;

/** A verb over a transport, one of the mixed kinds. */
enum MixedKind {
    RC_SEND(Transport.RC, MixedKind::send),
    RC_SEND_INLINE(
            Transport.RC,
            (id, local, remote) -> Send.of(id, local).withSignaled().withInline()),
    RC_SEND_TO_SHARED_RECEIVES(Transport.RC, MixedKind::send),
    RC_WRITE(Transport.RC, MixedKind::write),
    RC_READ(Transport.RC, (id, local, remote) -> RdmaRead.of(id, local, remote).withSignaled()),
    RC_FETCH_ADD(
            Transport.RC,
            (id, local, remote) -> FetchAdd.of(id, local, remote, 1).withSignaled()),
    RC_COMPARE_AND_SWAP(
            Transport.RC,
            (id, local, remote) -> CompareAndSwap.of(id, local, remote, 0, 1).withSignaled()),
    UC_SEND(Transport.UC, MixedKind::send),
    UC_WRITE(Transport.UC, MixedKind::write),
    UD_SEND(Transport.UD, MixedKind::send),
    XRC_SEND(Transport.XRC, MixedKind::send),
    XRC_WRITE(Transport.XRC, MixedKind::write),
    DC_SEND(Transport.DC, MixedKind::send),
    DC_WRITE(Transport.DC, MixedKind::write);

    /** Creates a request of this kind. */
    @FunctionalInterface
    private interface Work {
        WorkRequest of(long id, LocalSlice local, RemoteAddress remote);
    }

    static final int BYTES = 64;

    private final Transport transport;
    private final Work work;

    MixedKind(Transport transport, Work work) {
        this.transport = transport;
        this.work = work;
    }

    private static WorkRequest send(long id, LocalSlice local, RemoteAddress remote) {
        return Send.of(id, local).withSignaled();
    }

    private static WorkRequest write(long id, LocalSlice local, RemoteAddress remote) {
        return RdmaWrite.of(id, local, remote).withSignaled();
    }

    Transport transport() {
        return transport;
    }

    /** True if it takes a receive. */
    boolean isMessage() {
        return switch (this) {
            case RC_SEND, RC_SEND_INLINE, RC_SEND_TO_SHARED_RECEIVES, UC_SEND, UD_SEND, XRC_SEND, DC_SEND -> true;
            case RC_WRITE, RC_READ, RC_FETCH_ADD, RC_COMPARE_AND_SWAP, UC_WRITE, XRC_WRITE, DC_WRITE -> false;
        };
    }

    boolean sharesReceives() {
        return this == RC_SEND_TO_SHARED_RECEIVES;
    }

    /** Returns the bytes of one request: an atomic has a word. */
    int bytes() {
        return switch (this) {
            case RC_FETCH_ADD, RC_COMPARE_AND_SWAP -> Long.BYTES;
            default -> BYTES;
        };
    }

    WorkRequest of(long id, LocalSlice local, RemoteAddress remote) {
        return work.of(id, local, remote);
    }
}
