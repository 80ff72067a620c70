// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/** A connection with shared receives, whose completions are read by an arm-and-poll loop. */
final class SharedReceivesWorkload implements Workload {
    private static final int LONGEST_MICROS = 50;
    private static final int MAX_MODERATED = 6;

    /** Half the PSN space away from where other lives here begin: late copies from an earlier life are ignored. */
    private static final int FAR_PSN = 0x80_0000;

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final QueuePairLife life;
    private final CompletionChannel channel;
    private final CompletionQueue completions;
    private final Ends<RcEnd> pair;
    private final ReceiveWaves receives;
    private final boolean moderates;
    private int cell;

    SharedReceivesWorkload(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("shared receives");
        verb = new RandomVerbs(sweep, random);
        life = sweep.promises().life("shared receives");
        SweepNode b = sweep.b();
        channel = world.await(b.context.createChannel());
        completions = world.await(b.context.createCq(CqDescription.of(500).withChannel(channel)));
        SharedReceiveQueue srq = world.await(b.domain.createSrq(SrqDescription.DEFAULT));
        pair = sweep.connected(
                sweep.a().half(), b.half().withRecvCq(completions).withSrq(srq), sweep.patient(random));
        receives = new ReceiveWaves(b, random, srq::postReceive);
        moderates = b.adapter.profile().completions().canModerate() && random.nextBoolean();
        listen();
    }

    @Override
    public void step() {
        if (moderates && random.nextInt(6) == 0) {
            Duration period = Duration.ofNanos(1000L * (1 + random.nextInt(LONGEST_MICROS)));
            sweep.promises().verb("moderate", completions.moderate(random.nextInt(MAX_MODERATED), period));
        }
        receives.oneMore();
        verb.submit(pair.a().qp(), life, cell++ % SweepNode.CELLS);
    }

    @Override
    public void finish() {
        receives.all();
    }

    /** Connects again: a queue that failed in a disaster provides nothing in a new life either, and reports that. */
    @Override
    public void close() {
        if (sweep.severity() == FaultSeverity.DISASTER) {
            try {
                anotherLife();
            } catch (VerbsException refused) {
                // Nothing more is guaranteed.
            }
        }
    }

    private void anotherLife() {
        RcQueuePair local = pair.a().qp();
        RcQueuePair remote = pair.b().qp();
        world.await(local.modify(QpModify.to(QpState.RESET)));
        world.await(remote.modify(QpModify.to(QpState.RESET)));
        RcConnection attributes = sweep.patient(random).withSendPsn(FAR_PSN).withReceivePsn(FAR_PSN);
        world.await(remote.connect(sweep.a().adapter.gid(), local.number(), attributes.reversed()));
        world.await(local.connect(sweep.b().adapter.gid(), remote.number(), attributes));
        QueuePairLife other = sweep.promises().life("shared receives, another life");
        other.add("SEND", local.submit(Send.of(cell, sweep.a().source(0, 1))), () -> {});
        world.runFor(Duration.ofMillis(1));
        // Without a receive it would retransmit without limit.
        world.await(local.modify(QpModify.to(QpState.ERR)));
        world.await(remote.modify(QpModify.to(QpState.ERR)));
    }

    /** Checks that no completion is left in the queue: its wake-up would have been lost. */
    @Override
    public void atRest() {
        try {
            if (!world.await(completions.poll(1)).isEmpty()) {
                throw new AssertionError(
                        "the completion queue contains a completion, but its channel was never notified");
            }
        } catch (VerbsException refused) {
            // A disaster took the queue.
        }
    }

    /**
     * Arms, polls until the queue is empty, waits, arms and polls again: the loop that loses no completion
     * (ibv_req_notify_cq(3)).
     */
    private void listen() {
        completions.arm(CompletionQueue.Arm.ANY);
        drain().thenAccept(done -> await());
    }

    private void await() {
        channel.next().thenAccept(queue -> {
            queue.arm(CompletionQueue.Arm.ANY);
            drain().thenAccept(done -> await());
        });
    }

    private CompletionStage<Void> drain() {
        return completions
                .poll(16)
                .thenCompose(polled -> polled.isEmpty() ? CompletableFuture.completedStage(null) : drain());
    }
}
