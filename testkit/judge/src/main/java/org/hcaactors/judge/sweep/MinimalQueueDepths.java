// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.SplittableRandom;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A receiver without a spare slot: its completion queue has as many entries as it has receives, and it posts each receive again
 * inside {@code onNext}. It also takes time there while the world continues; otherwise nothing could arrive in between, since a
 * turn of an actor is one step of the world.
 */
final class MinimalQueueDepths implements Workload {
    /** As many entries as a completion queue of 3 has. */
    private static final int RECEIVES = 3;

    private static final int LONGEST_NANOS = 3000;

    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final CompletionQueue received;
    private final Ends<RcEnd> pair;
    private final QueuePairLife life;
    private int cell;
    private boolean over;

    MinimalQueueDepths(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("tight loop");
        life = sweep.promises().life("tight loop");
        received = world.await(sweep.b().context.createCq(RECEIVES));
        pair = sweep.connected(
                sweep.a().half(),
                sweep.b()
                        .half()
                        .withRecvCq(received)
                        .withCapacity(QpCapacity.DEFAULT
                                .withMaxSendWr(1)
                                .withMaxRecvWr(RECEIVES)
                                .withMaxSge(1)
                                .withMaxInlineBytes(0)),
                sweep.patient(random));
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
        received.completions().subscribe(Subscribers.forEach(this::received, reason -> {}));
    }

    private void received(WorkCompletion completion) {
        if (completion.isSuccess() && !over) {
            postReceive(completion.workId() + RECEIVES);
            world.runFor(Duration.ofNanos(random.nextInt(LONGEST_NANOS)));
        }
    }

    private void postReceive(long id) {
        ReceiveWaves.quietly(() -> pair.b().postReceive(Receive.of(id, sweep.b().receive((int) id))));
    }

    @Override
    public void step() {
        int number = cell++ % SweepNode.CELLS;
        Send send = Send.of(number, sweep.a().source(number, random.nextInt(SweepNode.CELL)));
        life.add("SEND " + number, pair.a().submit(send), () -> {});
    }

    /** Checks that its completion queue did not overflow. */
    @Override
    public void atRest() {
        over = true;
        sweep.raised(sweep.b(), new AsyncEvent(AsyncEvent.Kind.CQ_ERR, received.number()))
                .filter(raised -> !(raised.reason() instanceof DependencyFailure))
                .findFirst()
                .ifPresent(raised -> {
                    throw new AssertionError("a completion queue with a place for each receive overflowed: "
                            + ReasonTexts.of(raised.reason()));
                });
    }
}
