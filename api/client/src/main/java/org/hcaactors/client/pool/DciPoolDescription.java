// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;

/**
 * What a pool is made of. A value that no pool takes is EINVAL where it is given.
 *
 * <p>Immutable, and made from {@link #DEFAULT} by what differs; components are added in minor versions.
 */
public final class DciPoolDescription {
    /** 8 initiators, hashed, with {@link RcConnection#DEFAULT}, and up to 4096 requests that wait. */
    public static final DciPoolDescription DEFAULT =
            new DciPoolDescription(8, QpDescription.dc(), RcConnection.DEFAULT, new DciPolicy.Hashed(), 4096);

    private final int initiators;
    private final QpDescription<DcInitiator> each;
    private final RcConnection attributes;
    private final DciPolicy policy;
    private final int maxWaiting;

    private DciPoolDescription(
            int initiators,
            QpDescription<DcInitiator> each,
            RcConnection attributes,
            DciPolicy policy,
            int maxWaiting) {
        this.initiators = atLeast(1, initiators, "initiators");
        this.each = each;
        this.attributes = attributes;
        this.policy = policy;
        this.maxWaiting = atLeast(0, maxWaiting, "waiting requests");
    }

    private static int atLeast(int min, int requested, String what) {
        if (requested < min) {
            throw VerbsException.invalid(requested + " " + what + "; " + min + " or more are allowed");
        }
        return requested;
    }

    /** How many the pool makes; 1 or more. Of a pool of initiators that are there, it counts for nothing. */
    public DciPoolDescription withInitiators(int number) {
        return new DciPoolDescription(number, each, attributes, policy, maxWaiting);
    }

    /** What each of them is; streams are added where the policy has some. */
    public DciPoolDescription withEach(QpDescription<DcInitiator> requested) {
        return new DciPoolDescription(initiators, requested, attributes, policy, maxWaiting);
    }

    /**
     * By which initiators are opened, and opened again after an error. EINVAL for timeout 0, as one target that is not there would keep
     * an initiator from all others for ever, and the pool from closing. A target that has no receives may do so for as long as RNR retry
     * 7 lets it: whose requests need some, and who does not trust all targets, gives fewer.
     */
    public DciPoolDescription withAttributes(RcConnection requested) {
        if (requested.timeoutCode() == 0) {
            throw VerbsException.invalid("a pool that waits for an answer for ever (timeout 0); 1 to 31 are allowed");
        }
        return new DciPoolDescription(initiators, each, requested, policy, maxWaiting);
    }

    public DciPoolDescription withPolicy(DciPolicy requested) {
        return new DciPoolDescription(initiators, each, attributes, requested, maxWaiting);
    }

    /** Requests that no initiator takes yet, 0 or more; one more is refused with ENOMEM. */
    public DciPoolDescription withMaxWaiting(int requests) {
        return new DciPoolDescription(initiators, each, attributes, policy, requests);
    }

    public int initiators() {
        return initiators;
    }

    public QpDescription<DcInitiator> each() {
        return each;
    }

    public RcConnection attributes() {
        return attributes;
    }

    public DciPolicy policy() {
        return policy;
    }

    public int maxWaiting() {
        return maxWaiting;
    }

    @Override
    public String toString() {
        return "pool of %d initiators, %s, %s, up to %d requests waiting"
                .formatted(initiators, policy, attributes, maxWaiting);
    }
}
