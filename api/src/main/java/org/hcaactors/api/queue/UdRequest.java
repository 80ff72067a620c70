// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.work.UdWork;

/**
 * A datagram with its destination, in a list that a {@link UdQueuePair} posts.
 *
 * <p>Immutable.
 *
 * @param to the destination
 * @param work the request
 */
public record UdRequest(UdAddress to, UdWork work) {
    public UdRequest {
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(work, "work");
    }
}
