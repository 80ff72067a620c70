// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.api.device.AsyncEvent;

/** Where the objects of one context report. Called from any thread; it only tells an actor. */
@SuppressWarnings("exports") // It stands beside the trace, and only adapters have one.
public interface EventSink {
    void raise(AsyncEvent event);

    /** Where the verbs of those objects come in; what no program knows has none. */
    default VerbCalls verbs() {
        return VerbCalls.NONE;
    }

    /** The same for a part of an object, which is not waited for when it goes. */
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

    /** That object is gone: its events that nobody fetched are discarded, and {@code reply} waits for the others. */
    void settle(AsyncEvent.Source source, int element, Reply<Void> reply);
}
