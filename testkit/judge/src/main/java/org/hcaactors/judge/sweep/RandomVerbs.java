// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;

/**
 * Draws requests that a healthy connection from {@code a} to {@code b} executes. All writers of a cell write the same bytes, so
 * that all cells can be checked at the end.
 */
record RandomVerbs(SweepContext sweep, SplittableRandom random) {
    /** Maximum inline size of a queue pair with default capacity. */
    private static final int INLINE = 256;

    private static final int WORDS = 4;

    void submit(RcQueuePair qp, QueuePairLife life, int cell) {
        submit(qp, life, cell, random.nextInt(SweepNode.CELL + 1));
    }

    void submit(RcQueuePair qp, QueuePairLife life, int cell, int bytes) {
        SweepNode a = sweep.a();
        SweepNode b = sweep.b();
        switch (random.nextInt(8)) {
            case 0 -> put(qp, life, "SEND", send(cell, bytes).withImmediate(cell));
            case 1 -> put(qp, life, "SEND", flagged(send(cell, bytes).withSolicited(), bytes));
            case 2, 3 -> write(qp, life, cell, bytes);
            case 4, 5 ->
                life.add(
                        "READ " + cell,
                        qp.submit(maybeFenced(RdmaRead.of(cell, a.target(cell, bytes), b.remoteSource(cell)))),
                        () -> ByteChecks.same("READ " + cell, b.sourceBytes(cell, bytes), a.targetBytes(cell, bytes)));
            case 6 ->
                put(
                        qp,
                        life,
                        "FETCH_ADD",
                        maybeFenced(FetchAdd.of(
                                cell, a.result(cell), b.word(random.nextInt(WORDS), random.nextBoolean()), 1)));
            default ->
                put(
                        qp,
                        life,
                        "COMPARE_SWAP",
                        CompareAndSwap.of(
                                cell,
                                a.result(cell),
                                b.word(random.nextInt(WORDS), random.nextBoolean()),
                                random.nextInt(WORDS),
                                random.nextInt(WORDS)));
        }
    }

    /** Posts a WRITE, for a program without spare receives. */
    void write(RcQueuePair qp, QueuePairLife life, int cell, int bytes) {
        RdmaWrite write = RdmaWrite.of(cell, elements(cell, bytes), sweep.b().remoteTarget(cell));
        life.add(
                "WRITE " + cell,
                qp.submit(flagged(write, bytes)),
                () -> ByteChecks.same(
                        "WRITE " + cell,
                        sweep.a().sourceBytes(cell, bytes),
                        sweep.b().targetBytes(cell, bytes)));
    }

    Send send(int cell, int bytes) {
        return Send.of(cell, elements(cell, bytes));
    }

    /** Returns one scatter/gather element, or two that are not split at a packet boundary. */
    private List<LocalSlice> elements(int cell, int bytes) {
        LocalSlice whole = sweep.a().source(cell, bytes);
        int first = bytes == 0 || random.nextInt(4) > 0 ? bytes : random.nextInt(bytes);
        return first == bytes
                ? List.of(whole)
                : List.of(
                        new LocalSlice(whole.lkey(), whole.address(), first),
                        new LocalSlice(whole.lkey(), whole.address() + first, bytes - first));
    }

    private RcWork flagged(RcWork work, int bytes) {
        RcWork maybe = maybeFenced(work);
        return bytes <= INLINE && random.nextBoolean()
                ? maybe.withFlags(maybe.flags().withInline())
                : maybe;
    }

    private RcWork maybeFenced(RcWork work) {
        return random.nextInt(6) == 0 ? work.withFlags(work.flags().withFence()) : work;
    }

    private static void put(RcQueuePair qp, QueuePairLife life, String what, RcWork work) {
        life.add(what + " " + work.id(), qp.submit(work), () -> {});
    }
}
