// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.Set;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.ScatterToCqe;

/**
 * Maximum lengths of inline data in a queue pair's completions; 0 for none (rules inline-size, inline-results).
 *
 * @param receiveBytes maximum length of a message
 * @param resultBytes maximum length of a READ's or an atomic's result
 */
public record InlineGrant(int receiveBytes, int resultBytes) {
    private static final int LARGE_ENTRY = 128;

    /**
     * Returns the lengths for a description. VerbsException (EINVAL) for a contradictory description, EOPNOTSUPP for what the
     * adapter does not support.
     *
     * @param uses what the kind of queue pair may deliver in completions
     * @param receiveEntry entry size of the receive completion queue in bytes
     * @param sendEntry entry size of the send completion queue in bytes
     */
    public static InlineGrant of(
            QpDescription<?> requested,
            Set<InlineUse> uses,
            Profile profile,
            InlineVariables variables,
            int receiveEntry,
            int sendEntry) {
        if (!isOn(requested, profile, variables)) {
            return new InlineGrant(0, 0);
        }
        int max = profile.queues().maxInlineReceiveBytes();
        boolean results = uses.contains(InlineUse.RESULTS)
                && (requested.options().signalAll() || requested.options().scatterToCqe() == ScatterToCqe.ALLOWED);
        return new InlineGrant(
                uses.contains(InlineUse.MESSAGES) ? Math.min(max, in(receiveEntry)) : 0,
                results ? Math.min(max, in(sendEntry)) : 0);
    }

    // rule inline-flags
    private static boolean isOn(QpDescription<?> requested, Profile profile, InlineVariables variables) {
        int requestedBytes = requested.capacity().maxInlineReceiveBytes();
        if (requestedBytes < 0) {
            throw VerbsException.invalid("maxInlineReceiveBytes is " + requestedBytes + "; 0 and more is allowed");
        }
        return switch (requested.options().scatterToCqe()) {
            case DEFAULT -> variables.scatters(requestedBytes > 0);
            case ALLOWED -> {
                if (profile.queues().maxInlineReceiveBytes() == 0) {
                    throw new VerbsException(
                            Errno.EOPNOTSUPP, profile.name() + " does not support data in completions");
                }
                yield true;
            }
            case DISABLED -> {
                if (requestedBytes > 0) {
                    throw VerbsException.invalid("maxInlineReceiveBytes is " + requestedBytes
                            + " and data in completions is disabled; only 0 is allowed then");
                }
                yield false;
            }
        };
    }

    // rule inline-size
    private static int in(int entryBytes) {
        return entryBytes == LARGE_ENTRY ? 64 : 32;
    }

    public QpCapacity in(QpCapacity sizes) {
        return sizes.withMaxInlineReceiveBytes(receiveBytes).withMaxInlineResultBytes(resultBytes);
    }
}
