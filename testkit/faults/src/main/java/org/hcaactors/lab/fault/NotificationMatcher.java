// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.notify.WaiterActor;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * Matcher of the messages that carry notifications of one completion queue: to its thread if it has one, otherwise to its
 * channel.
 */
final class NotificationMatcher {
    private final String channels;
    private final String threads;
    private final int cq;
    /** If true, a message to the channel is an interrupt for a notification that was counted already. */
    private boolean namesThread;

    NotificationMatcher(String adapter, int cq) {
        channels = adapter + "/channel-";
        threads = adapter + "/waiter-";
        this.cq = cq;
    }

    boolean isOne(String receiver, Object message) {
        return switch (message) {
            case WaiterActor.Notify notify
            when receiver.startsWith(threads) && matches(notify.queue()) -> {
                namesThread = true;
                yield true;
            }
            case EventQueueActor.Raised<?> raised
            when receiver.startsWith(channels) && !namesThread ->
                raised.event() instanceof CompletionQueue queue && matches(queue);
            default -> false;
        };
    }

    private boolean matches(CompletionQueue queue) {
        return queue.number() == cq;
    }
}
