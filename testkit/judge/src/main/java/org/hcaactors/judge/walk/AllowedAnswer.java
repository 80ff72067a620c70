// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.error.Errno;

/**
 * Allowed answers of a call.
 *
 * @param success true if it may succeed
 * @param refusals errnos with which it may be refused
 */
record AllowedAnswer(boolean success, Set<Errno> refusals) {
    static final AllowedAnswer SUCCESS_ONLY = new AllowedAnswer(true, Set.of());

    /** Every errno with which a part that crashed, or lost its process, may answer. */
    private static final Set<Errno> OF_DISASTER =
            EnumSet.of(Errno.EIO, Errno.EINVAL, Errno.ECANCELED, Errno.EBUSY, Errno.ENOMEM);

    /** Errnos of hosts and adapters without free resources. */
    static final Set<Errno> OF_SCARCITY = Collections.unmodifiableSet(EnumSet.of(Errno.ENOMEM, Errno.EAGAIN));

    static AllowedAnswer refusal(Errno errno) {
        return new AllowedAnswer(false, Set.of(errno));
    }

    AllowedAnswer orRefusedIf(boolean may, Errno... with) {
        if (!may) {
            return this;
        }
        Set<Errno> more = EnumSet.noneOf(Errno.class);
        more.addAll(refusals);
        more.addAll(List.of(with));
        return new AllowedAnswer(success, more);
    }

    AllowedAnswer onlyRefusedIf(boolean certain) {
        return certain ? new AllowedAnswer(false, refusals) : this;
    }

    AllowedAnswer in(FaultProfile severity) {
        if (severity == FaultProfile.SCARCE) {
            return orRefusedIf(true, OF_SCARCITY.toArray(Errno[]::new));
        }
        // Packets neither make a verb fail nor let a forbidden one succeed; their effect on a queue pair shows in its
        // possible
        // states.
        if (severity != FaultProfile.DISASTER) {
            return this;
        }
        Set<Errno> more = EnumSet.copyOf(OF_DISASTER);
        more.addAll(refusals);
        return new AllowedAnswer(true, more);
    }

    boolean includes(Optional<Errno> refusal) {
        return refusal.map(refusals::contains).orElse(success);
    }

    @Override
    public String toString() {
        if (refusals.isEmpty()) {
            return success ? "success" : "no answer";
        }
        return (success ? "success, or " : "") + "refusal with " + refusals;
    }
}
