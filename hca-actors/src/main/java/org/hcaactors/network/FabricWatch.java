// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.fabric.flow.FabricEvent;

/**
 * Stream of fabric events for observers that must not slow the fabric down. Events that the subscriber has not requested are
 * queued up to the backlog; beyond it the oldest are dropped and counted.
 *
 * <p>Threads: any; one subscription at a time. Limits: the backlog.
 */
public final class FabricWatch implements AutoCloseable {
    private final CommandSender<EventQueueActor.Command<FabricEvent>> commandSender;
    private final AtomicLong dropped;
    private final Runnable untap;

    FabricWatch(CommandSender<EventQueueActor.Command<FabricEvent>> commandSender, AtomicLong dropped, Runnable untap) {
        this.commandSender = commandSender;
        this.dropped = dropped;
        this.untap = untap;
    }

    /** @throws IllegalArgumentException if the backlog is less than 1 */
    static EventQueueActor.Plan<FabricEvent> plan(int backlog, AtomicLong dropped, Callers callers) {
        if (backlog < 1) {
            throw new IllegalArgumentException("the backlog of watch() is " + backlog + "; at least 1 is allowed");
        }
        return new EventQueueActor.Plan<>(
                "a watch of the fabric", backlog, false, dropped::incrementAndGet, callers, FabricEvent[]::new);
    }

    /**
     * Returns the publisher, for one subscription at a time. After a cancelled subscription, events continue to be queued up to
     * the backlog.
     */
    public Flow.Publisher<FabricEvent> events() {
        return commandSender.publisher(EventQueueActor.Subscribe::new);
    }

    /** Returns the number of events dropped because they were not requested in time. */
    public long dropped() {
        return dropped.get();
    }

    /** Stops observing and completes the stream. */
    @Override
    public void close() {
        untap.run();
        commandSender.close(EventQueueActor.Destroy::new);
    }

    @Override
    public String toString() {
        return commandSender.name();
    }
}
