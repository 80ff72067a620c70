// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.notify.WaiterActor;
import org.hcaactors.api.completion.CompletionQueue;

/** Finds the messages by which one completion queue reports: to its thread where it names one, else to its channel. */
final class NotificationMatcher {
    private final String channels;
    private final String threads;
    private final int cq;
    /** What comes to its channel then is an interrupt, for a report that was counted. */
    private boolean namesThread;

    NotificationMatcher(String adapter, int cq) {
        channels = adapter + "/channel-";
        threads = adapter + "/waiter-";
        this.cq = cq;
    }

    boolean isOne(String receiver, Object message) {
        return switch (message) {
            case WaiterActor.Notify notify
            when receiver.startsWith(threads) && isMine(notify.queue()) -> {
                namesThread = true;
                yield true;
            }
            case EventQueueActor.Raised<?> raised
            when receiver.startsWith(channels) && !namesThread ->
                raised.event() instanceof CompletionQueue queue && isMine(queue);
            default -> false;
        };
    }

    private boolean isMine(CompletionQueue queue) {
        return queue.number() == cq;
    }
}
