// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;

/**
 * Description of a pool of DC initiators. A value that no pool accepts is EINVAL when it is set.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #DEFAULT}. Components are added in minor versions.
 */
public final class DciPoolDescription {
    /** 8 initiators, hashed, with {@link RcConnection#DEFAULT}, and up to 4096 waiting requests. */
    public static final DciPoolDescription DEFAULT =
            new DciPoolDescription(8, QpDescription.dc(), RcConnection.DEFAULT, new DciPolicy.Hashed(), 4096);

    private final int initiators;
    private final QpDescription<DcInitiator> initiatorDescription;
    private final RcConnection attributes;
    private final DciPolicy policy;
    private final int maxWaiting;

    private DciPoolDescription(
            int initiators,
            QpDescription<DcInitiator> initiatorDescription,
            RcConnection attributes,
            DciPolicy policy,
            int maxWaiting) {
        this.initiators = atLeast(1, initiators, "initiators");
        this.initiatorDescription = initiatorDescription;
        this.attributes = attributes;
        this.policy = policy;
        this.maxWaiting = atLeast(0, maxWaiting, "waiting requests");
    }

    private static int atLeast(int min, int requested, String what) {
        if (requested < min) {
            throw VerbsException.invalid(
                    "the number of " + what + " is " + requested + "; " + min + " or more is allowed");
        }
        return requested;
    }

    /** Sets the number of initiators to create, 1 or more; ignored for a pool of existing initiators. */
    public DciPoolDescription withInitiators(int number) {
        return new DciPoolDescription(number, initiatorDescription, attributes, policy, maxWaiting);
    }

    /** Sets the description of each initiator; streams are added if the policy needs them. */
    public DciPoolDescription withInitiatorDescription(QpDescription<DcInitiator> requested) {
        return new DciPoolDescription(initiators, requested, attributes, policy, maxWaiting);
    }

    /**
     * Sets the attributes with which initiators are opened, also after an error. EINVAL for timeout 0, because one absent
     * target would block an initiator, and the closing of the pool, for ever. With RNR retry 7, a target without receives
     * blocks an initiator in the same way: set fewer retries unless all targets are trusted.
     */
    public DciPoolDescription withAttributes(RcConnection requested) {
        if (requested.timeoutCode() == 0) {
            throw VerbsException.invalid(
                    "the timeout code is 0, so initiators would wait without limit; a pool allows 1 to 31");
        }
        return new DciPoolDescription(initiators, initiatorDescription, requested, policy, maxWaiting);
    }

    public DciPoolDescription withPolicy(DciPolicy requested) {
        return new DciPoolDescription(initiators, initiatorDescription, attributes, requested, maxWaiting);
    }

    /** Sets the maximum number of waiting requests, 0 or more; one more is refused with ENOMEM. */
    public DciPoolDescription withMaxWaiting(int requests) {
        return new DciPoolDescription(initiators, initiatorDescription, attributes, policy, requests);
    }

    public int initiators() {
        return initiators;
    }

    public QpDescription<DcInitiator> initiatorDescription() {
        return initiatorDescription;
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
