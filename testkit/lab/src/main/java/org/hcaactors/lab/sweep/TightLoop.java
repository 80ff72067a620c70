package org.hcaactors.lab.sweep;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.Breakdown;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.chance.Lots;
import org.hcaactors.lab.world.World;

/**
 * A receiver without a place to spare: its completion queue is as long as its receives are many, and it posts each again
 * inside {@code onNext}. There it takes its time, too, and the world goes on: else nothing could arrive in between, since a
 * turn of an actor is one step of the world.
 */
final class TightLoop {
    /** As many entries as a completion queue of 3 has. */
    private static final int RECEIVES = 3;

    private static final int LONGEST_NANOS = 3000;

    private final World world;
    private final Site a;
    private final Site b;
    private final SplittableRandom lots;
    private final CompletionQueue received;
    private final RcPair pair;
    private boolean over;

    TightLoop(World world, Site a, Site b, RcConnection terms) {
        this.world = world;
        this.a = a;
        this.b = b;
        lots = Lots.of(world.seed(), "tight");
        received = world.await(b.context.createCq(RECEIVES));
        pair = world.await(RcPair.connect(
                a.domain.rc(), b.domain.rc().recvCq(received).capacity(new QpCapacity(1, RECEIVES, 1, 1, 0)), terms));
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
        received.completions().subscribe(Subscribers.forEach(this::received, why -> {}));
    }

    private void received(WorkCompletion completion) {
        if (completion.isSuccess() && !over) {
            postReceive(completion.workId() + RECEIVES);
            world.runFor(Duration.ofNanos(lots.nextInt(LONGEST_NANOS)));
        }
    }

    private void postReceive(long id) {
        try {
            pair.remote().postReceive(Receive.of(id, b.receive((int) id)));
        } catch (VerbsException gone) {
            // A disaster took the queue pair.
        }
    }

    boolean wantsToSend() {
        return lots.nextInt(3) == 0;
    }

    CompletionStage<WorkCompletion> send(int cell) {
        return pair.local().submit(Send.of(cell, a.source(cell, lots.nextInt(Site.CELL))));
    }

    /** AssertionError if its ring overflowed. */
    void end() {
        over = true;
        world.trace()
                .of(HcaEvent.Raised.class)
                .filter(raised -> raised.port().equals(b.adapter.name())
                        && raised.event().equals(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, received.number()))
                        && Breakdown.of(raised.why()).isEmpty())
                .findFirst()
                .ifPresent(raised -> {
                    throw new AssertionError("a completion queue as long as its receives overflowed: " + raised.why());
                });
    }
}
