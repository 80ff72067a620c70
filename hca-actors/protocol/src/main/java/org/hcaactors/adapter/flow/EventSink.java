// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.device.AsyncEvent;

/**
 * Sink for the asynchronous events of one context's objects. May be called from any thread; it only sends a message to an
 * actor.
 */
@SuppressWarnings("exports") // Declared next to the trace; only adapters implement it.
public interface EventSink {
    void raise(AsyncEvent event);

    /** Returns the check of the verbs called on these objects; objects that no program knows have none. */
    default VerbCalls verbs() {
        return VerbCalls.NONE;
    }

    /** Returns the sink for a part of an object: when the part is destroyed, unread events are not waited for. */
    default EventSink silent() {
        EventSink whole = this;
        return new EventSink() {
            @Override
            public void raise(AsyncEvent event) {
                whole.raise(event);
            }

            @Override
            public void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {
                Reply.done(reply);
            }
        };
    }

    /**
     * Reports that an object is destroyed: its unread events are discarded, and {@code reply} completes when all events that
     * were read are acknowledged.
     */
    void settle(AsyncEvent.Source source, int element, Reply<Void> reply);
}
