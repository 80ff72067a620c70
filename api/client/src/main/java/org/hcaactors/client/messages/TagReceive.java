// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.concurrent.CompletionStage;

/**
 * A receive that was asked for.
 *
 * <p>Threads: any; stages complete where completions do, on the callers' executor. Limits: {@link TagEndpointDescription#maxReceives}.
 */
public final class TagReceive {
    private final TagEndpoint endpoint;
    private final PendingReceive awaited;

    TagReceive(TagEndpoint endpoint, PendingReceive awaited) {
        this.endpoint = endpoint;
        this.awaited = awaited;
    }

    /**
     * The message, when its data are in the buffer. Fails with VerbsException: EINVAL where it is longer than the buffer, and then it
     * is lost; but EIO, and its connection ends, where it brings its data and the adapter puts them here (LOC_LEN_ERR). ECANCELED when the
     * receive was cancelled or the endpoint closed; EIO where its connection failed first.
     */
    public CompletionStage<TagArrival> arrival() {
        return awaited.stage.minimalCompletionStage();
    }

    /** Gives it up: true if no message will come for it, false if one has taken it, whose arrival is then told. */
    public CompletionStage<Boolean> cancel() {
        return endpoint.cancel(awaited);
    }
}
