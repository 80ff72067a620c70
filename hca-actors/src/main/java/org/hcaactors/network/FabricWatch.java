// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.fabric.flow.FabricEvent;

/**
 * What happens on the fabric, as a stream for those who only look on: it stalls nobody. Events that its subscriber does not
 * ask for wait, up to the backlog it was made with; beyond it the oldest are dropped and counted.
 *
 * <p>Threads: any; one subscription at a time. Limits: the backlog that it was made with.
 */
public final class FabricWatch implements AutoCloseable {
    private final CommandSender<EventQueueActor.Command<FabricEvent>> door;
    private final AtomicLong dropped;
    private final Runnable untap;

    FabricWatch(CommandSender<EventQueueActor.Command<FabricEvent>> door, AtomicLong dropped, Runnable untap) {
        this.door = door;
        this.dropped = dropped;
        this.untap = untap;
    }

    /** IllegalArgumentException for a backlog that holds nothing. */
    static EventQueueActor.Plan<FabricEvent> plan(int backlog, AtomicLong dropped, Callers callers) {
        if (backlog < 1) {
            throw new IllegalArgumentException("watch(" + backlog + "); a backlog of at least 1 is allowed");
        }
        return new EventQueueActor.Plan<>(
                "a watch of the fabric", backlog, false, dropped::incrementAndGet, callers, FabricEvent[]::new);
    }

    /** One subscription at a time; cancelling loses nothing but what the backlog can't hold. */
    public Flow.Publisher<FabricEvent> events() {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            if (!door.tell(new EventQueueActor.Subscribe<>(subscriber))) {
                door.callers().execute(() -> DeclinedSubscription.tell(subscriber, door.closed()));
            }
        };
    }

    /** Events that nobody asked for in time. */
    public long dropped() {
        return dropped.get();
    }

    /** Nothing is watched any more, and the stream completes. */
    @Override
    public void close() {
        untap.run();
        door.close(EventQueueActor.Destroy::new);
    }

    @Override
    public String toString() {
        return door.name();
    }
}
