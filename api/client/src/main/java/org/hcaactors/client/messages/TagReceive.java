// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.concurrent.CompletionStage;

/**
 * A posted receive of an endpoint.
 *
 * <p>Threads: any; stages complete where completions do, on the callers' executor. Limits: {@link
 * TagEndpointDescription#maxReceives}.
 */
public final class TagReceive {
    private final TagEndpoint endpoint;
    private final PendingReceive awaited;

    TagReceive(TagEndpoint endpoint, PendingReceive awaited) {
        this.endpoint = endpoint;
        this.awaited = awaited;
    }

    /**
     * Completes with the message when its data are in the buffer. Fails with VerbsException: EINVAL if the message is longer
     * than the buffer, and the message is lost; EIO instead, and the connection ends, if the message is eager and the adapter
     * matched it (LOC_LEN_ERR). ECANCELED if the receive was cancelled or the endpoint closed; EIO if its connection failed
     * first.
     */
    public CompletionStage<TagArrival> arrival() {
        return awaited.stage.minimalCompletionStage();
    }

    /** Cancels the receive: true if no message will take it, false if one has taken it, which {@link #arrival} then returns. */
    public CompletionStage<Boolean> cancel() {
        return endpoint.cancel(awaited);
    }
}
