// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Arrays;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.MarkedBytes;

/**
 * A request of a group, and its payload.
 *
 * @param number its number in the completion and the payload
 * @param offset offset of its slot, on both sides
 */
record Message(
        PostingThread postingThread,
        Kind kind,
        long number,
        RcQueuePair on,
        int offset,
        int lengthBytes,
        boolean signaled) {
    enum Kind {
        WRITE,
        READ,
        SEND,
        FETCH_ADD,
        /** Adds to a field of the same word that FETCH_ADD counts. */
        MASKED_ADD;

        boolean isAtomic() {
            return this == FETCH_ADD || this == MASKED_ADD;
        }
    }

    private static final long FIELD_ENDS = 0x8000_0000_8000_0000L;

    /** Allowed statuses while objects are destroyed. */
    private static final Set<Status> CUT_OFF = Set.of(
            Status.WR_FLUSH_ERR,
            Status.LOC_PROT_ERR,
            Status.REM_ACCESS_ERR,
            Status.REM_OP_ERR,
            Status.REM_INV_REQ_ERR,
            Status.RETRY_EXC_ERR,
            Status.RNR_RETRY_EXC_ERR);

    /** Writes the payload to its source. */
    void prepare() {
        switch (kind) {
            case WRITE, SEND -> group().source.memory().write(offset, payload());
            case READ -> group().target.memory().write(offset, payload());
            case FETCH_ADD, MASKED_ADD -> {}
        }
    }

    RcWork work() {
        ConnectionGroup group = group();
        RemoteAddress to = group.target.remote(offset);
        return switch (kind) {
            case WRITE -> signaled(RdmaWrite.of(number, group.source.slice(offset, lengthBytes), to));
            case READ -> RdmaRead.of(number, group.source.slice(offset, lengthBytes), to);
            case SEND -> Send.of(number, group.source.slice(offset, lengthBytes));
            case FETCH_ADD ->
                FetchAdd.of(number, group.source.slice(offset, Long.BYTES), group.target.remote(group.counter()), 1);
            case MASKED_ADD ->
                MaskedFetchAdd.of(
                                number, group.source.slice(offset, Long.BYTES), group.target.remote(group.counter()), 1)
                        .withBoundary(FIELD_ENDS);
        };
    }

    private RcWork signaled(RdmaWrite write) {
        return signaled ? write.withSignaled() : write;
    }

    private ConnectionGroup group() {
        return postingThread.group();
    }

    private byte[] payload() {
        return MarkedBytes.of(number, lengthBytes);
    }

    void ended(WorkCompletion completion) {
        WorkerEnvironment environment = group().environment;
        environment.tally().requests.increment();
        boolean success = completion.isSuccess();
        if (success) {
            environment.tally().transferred.add(lengthBytes);
            verify();
        } else if (group().attributes.calm() || !CUT_OFF.contains(completion.status())) {
            environment
                    .openStages()
                    .wrong(this + " must succeed"
                            + (group().attributes.calm() ? "" : " or end with one of " + CUT_OFF) + ", but ended with "
                            + completion.status());
        }
        postingThread.ended(this, success);
    }

    /** Handles a refusal or cancellation. */
    void failed(VerbsException reason) {
        switch (reason.errno()) {
            case ENOMEM -> postingThread.ended(this, true);
            case EBUSY,
                    EAGAIN,
                    EOPNOTSUPP,
                    EPERM,
                    ENOENT,
                    EACCES,
                    EFAULT,
                    EEXIST,
                    EADDRINUSE,
                    EADDRNOTAVAIL,
                    ETIMEDOUT,
                    ECONNREFUSED,
                    EHOSTUNREACH ->
                group().environment
                        .openStages()
                        .wrong(this
                                + " must be accepted, or refused with an errno that fits the disruption, but was refused with "
                                + reason.getMessage());
            case EINVAL, EIO, ECANCELED -> {
                if (group().attributes.calm()) {
                    group().environment
                            .openStages()
                            .wrong(this + " must succeed, but was refused or cancelled: " + reason.getMessage());
                }
                postingThread.ended(this, false);
            }
        }
    }

    /** Checks that the bytes of a successful request are in place, unless its process has exited meanwhile. */
    private void verify() {
        ConnectionGroup group = group();
        switch (kind) {
            case WRITE -> verify(group.target.memory());
            case READ -> verify(group.source.memory());
            case SEND -> group.sent.incrementAndGet(); // the inbox checks it
            case FETCH_ADD, MASKED_ADD -> group.added.incrementAndGet();
        }
    }

    private void verify(HostMemory memory) {
        byte[] found;
        try {
            found = memory.read(offset, lengthBytes);
        } catch (VerbsException unmapped) {
            return;
        }
        group().environment.tally().verified.add(lengthBytes);
        int at = Arrays.mismatch(found, payload());
        if (at >= 0) {
            group().environment
                    .openStages()
                    .wrong(this + " succeeded, but the bytes differ from byte " + at + " on: "
                            + ByteDiff.at(found, at));
        }
    }

    @Override
    public String toString() {
        return kind + " " + number + " of " + lengthBytes + " bytes on qp" + on.number();
    }
}
