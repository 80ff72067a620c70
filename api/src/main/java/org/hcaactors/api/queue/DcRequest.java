// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.work.RcWork;

/**
 * A request over DC with its destination, in a list that a {@link DcInitiator} posts.
 *
 * <p>Immutable.
 *
 * @param to the target; ignored for requests that change a key
 * @param stream 16 bits, as in {@link DcInitiator#post(DcAddress, int, RcWork)}
 * @param work the request
 */
public record DcRequest(DcAddress to, int stream, RcWork work) {
    public DcRequest {
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(work, "work");
    }

    /** On stream 0. */
    public static DcRequest of(DcAddress to, RcWork work) {
        return new DcRequest(to, 0, work);
    }
}
