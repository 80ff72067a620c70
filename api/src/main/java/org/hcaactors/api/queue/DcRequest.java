// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.RcWork;

/**
 * A request over DC with its destination, in a list that a {@link DcInitiator} posts.
 *
 * <p>Immutable.
 *
 * @param to the target; ignored for requests that change a key, which need none
 * @param stream 16 bits, as in {@link DcInitiator#post(DcAddress, int, RcWork)}
 * @param work the request
 */
public record DcRequest(Optional<DcAddress> to, int stream, RcWork work) {
    /** VerbsException (EINVAL) without a target for a request that sends. */
    public DcRequest {
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(work, "work");
        if (to.isEmpty() && !(work instanceof KeyWork)) {
            throw VerbsException.invalid("a request that sends requires a target");
        }
    }

    /** With a target. */
    public DcRequest(DcAddress to, int stream, RcWork work) {
        this(Optional.of(to), stream, work);
    }

    /** On stream 0. */
    public static DcRequest of(DcAddress to, RcWork work) {
        return new DcRequest(to, 0, work);
    }

    /** Without a target. */
    public static DcRequest local(int stream, KeyWork work) {
        return new DcRequest(Optional.empty(), stream, work);
    }
}
