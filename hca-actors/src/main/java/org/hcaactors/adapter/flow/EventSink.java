// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.AsyncEvent;

/** Where the objects of one context report. Called from any thread; it only tells an actor. */
public interface EventSink {
    void raise(AsyncEvent event);

    /** That object is gone: its events that nobody fetched are discarded, and {@code reply} waits for the others. */
    void settle(AsyncEvent.Source source, int element, Reply<Void> reply);
}
