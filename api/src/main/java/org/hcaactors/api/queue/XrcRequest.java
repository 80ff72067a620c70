// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import org.hcaactors.api.work.RcWork;

/**
 * A request over XRC with its destination, in a list that a {@link XrcQueuePair} posts.
 *
 * <p>Immutable.
 *
 * @param srqNumber number of the remote shared receive queue, 24 bits, as in {@link XrcQueuePair#post(int, RcWork)}
 * @param work the request
 */
public record XrcRequest(int srqNumber, RcWork work) {
    public XrcRequest {
        Objects.requireNonNull(work, "work");
    }
}
