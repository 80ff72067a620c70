// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/**
 * Requests arrive, and the sender's cable is unplugged when the answers return: they are retransmitted to a peer that has
 * executed them. Meanwhile one of their regions is deregistered, or the queue pair was reset and connected again before. It has
 * its own adapters.
 */
final class LostAnswers implements Workload {
    private static final int MAX = 4;
    private static final int ONE_IN = 2;
    private static final int LATENCY_NANOS = 2000;
    private static final int BYTES = 64;
    private static final long RESULTS = 4 * BYTES;
    private static final LinkProperties LINK = new LinkProperties(LATENCY_NANOS, 10_000_000_000L, 9000, 1 << 20);
    /** 16 us: long after the answers were lost. */
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withTimeoutCode(2).withRetryCount(5).withRdAtomic(4);

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final Side from;
    private final Side to;
    private int acts;

    LostAnswers(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("lost answers");
        from = sweep.apart("lost-from", LINK, random, 8 * BYTES);
        to = sweep.apart("lost-to", LINK, random, 8 * BYTES);
    }

    @Override
    public void step() {
        if (acts == MAX || random.nextInt(ONE_IN) > 0) {
            return;
        }
        acts++;
        Ends<RcEnd> ends = sweep.connected(Half.on(from), Half.on(to), TERMS);
        if (random.nextBoolean()) {
            regionGoes(ends.a().qp());
        } else {
            secondLife(ends.a().qp(), ends.b().qp());
        }
    }

    /**
     * Deregisters the local region of a request in the middle of the retransmitted ones; it is acknowledged together with those
     * before and after it.
     */
    private void regionGoes(RcQueuePair qp) {
        QueuePairLife life = sweep.promises().life("lost answers");
        MemoryRegion toDeregister = world.await(from.domain()
                .register(from.memory(), 0, from.memory().lengthBytes(), AccessFlags.of(Access.LOCAL_WRITE)));
        write(qp, life, from.region(), Set.of());
        write(qp, life, toDeregister, Set.of(Status.LOC_PROT_ERR));
        write(qp, life, from.region(), Set.of());
        loseAnswers();
        sweep.promises().verb("deregister", toDeregister.deregister());
        awaitEnd(write(qp, life, from.region(), Set.of()));
    }

    private CompletionStage<WorkCompletion> write(
            RcQueuePair qp, QueuePairLife life, MemoryRegion source, Set<Status> mayFail) {
        CompletionStage<WorkCompletion> stage =
                qp.submit(RdmaWrite.of(acts, source.slice(0, BYTES), to.region().remote(BYTES)));
        life.add("WRITE " + acts, stage, () -> {}, mayFail);
        return stage;
    }

    /** Connects the queue pair twice; both connections begin at the same PSN, each with an atomic on the same word. */
    private void secondLife(RcQueuePair one, RcQueuePair two) {
        CompletionStage<WorkCompletion> first = add(one, 0);
        sweep.promises().life("lost answers, first life").add("FETCH_ADD " + acts, first, () -> {});
        boolean added = awaitEnd(first);
        // Its slot is freed with the next completion, which this connection does not have.
        one.post(RdmaWrite.of(acts, from.region().slice(0, BYTES), to.region().remote(BYTES)));
        world.runFor(Duration.ofMillis(1));
        world.await(one.modify(QpModify.to(QpState.RESET)));
        world.await(two.modify(QpModify.to(QpState.RESET)));
        // Packets of the first connection are gone by then.
        world.runFor(Duration.ofMillis(1));
        world.await(one.connect(to.adapter().gid(), two.number(), TERMS));
        world.await(two.connect(from.adapter().gid(), one.number(), TERMS.reversed()));
        CompletionStage<WorkCompletion> second = add(one, 1);
        int act = acts;
        sweep.promises()
                .life("lost answers, second life")
                .add("FETCH_ADD " + act, second, () -> checkSecond(act, added));
        loseAnswers();
        awaitEnd(second);
    }

    private CompletionStage<WorkCompletion> add(RcQueuePair qp, int life) {
        LocalSlice result = from.region().slice(result(acts, life), Long.BYTES);
        return qp.submit(FetchAdd.of(acts, result, to.region().remote((long) acts * Long.BYTES), 1));
    }

    private static long result(int act, int life) {
        return RESULTS + (2L * act + life) * Long.BYTES;
    }

    private void checkSecond(int act, boolean added) {
        long before = ByteBuffer.wrap(from.memory().read(result(act, 1), Long.BYTES))
                .order(ByteOrder.nativeOrder())
                .getLong();
        if (added && before != 1) {
            throw new AssertionError("FETCH_ADD " + act + " after the reset returned " + before
                    + " instead of 1, the value after the first" + " request: it took the answer to another request");
        }
    }

    /** Lets the packets on the way arrive; answers find no port. */
    private void loseAnswers() {
        world.runFor(Duration.ofNanos(LATENCY_NANOS + LATENCY_NANOS / 2));
        world.network().unplug(from.adapter());
        world.runFor(Duration.ofNanos(2 * LATENCY_NANOS));
        world.network().plug(from.adapter());
    }

    /** Waits for the request's completion. True if it succeeded. */
    private boolean awaitEnd(CompletionStage<WorkCompletion> stage) {
        try {
            return world.await(stage, Duration.ofSeconds(1)).isSuccess();
        } catch (VerbsException lost) {
            // PendingStages checks it.
            return false;
        }
    }
}
