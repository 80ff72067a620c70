// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.time.Duration;
import org.hcaactors.adapter.firmware.DisabledFeatures;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareParameter;

/**
 * Checks of what an adapter's completion queues are asked for, with the resulting capacities and machines. A refusal is a
 * VerbsException.
 */
public record CqChecks(Profile profile) {
    private CompletionCapabilities can() {
        return profile.completions();
    }

    public void check(CqDescription requested) {
        Limits.within("number of entries of a completion queue", requested.entries(), 1, can().maxEntries());
        Limits.within("completion vector", requested.vector(), 0, can().vectors() - 1);
        checkNotify(requested);
    }

    // rule notify-create
    private void checkNotify(CqDescription requested) {
        if (requested.waiter().isPresent() && !profile.platform().has(PlatformCapabilities.Feature.AS_NOTIFY)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "a completion queue with AS-notify is not available: "
                            + DisabledFeatures.reason(profile, FirmwareParameter.IBM_AS_NOTIFY_EN));
        }
    }

    /** Returns the next power of two above, minus one, as mlx5 allocates (rule completion-size). */
    public int capacityFor(int entries) {
        return Math.min(can().maxEntries(), Integer.highestOneBit(entries) * 2 - 1);
    }

    // rule pages-queues
    /** Size of the ring in bytes. */
    public long bufferBytes(int entries, int entryBytes) {
        return (capacityFor(entries) + 1L) * entryBytes;
    }

    public CompletionQueueMachine machine(CqDescription requested) {
        return new CompletionQueueMachine(new CompletionQueueMachine.Rules(
                capacityFor(requested.entries()),
                requested.ignoreOverrun(),
                profile.has(Quirk.CQ_OVERRUN_FAILS_QUEUE_PAIRS),
                profile.has(Quirk.ARM_FIRES_FOR_UNPOLLED),
                requested.timestamps() ? can().clockKilohertz() : 0));
    }

    /** Checks the maximum number of entries of a poll. */
    public static void checkMax(int max) {
        if (max < 1) {
            throw VerbsException.invalid("the maximum of poll() is " + max + "; at least 1 is allowed");
        }
    }

    /** Returns the refusal of a poll while a subscription or reader polls. */
    public static VerbsException busy(String queue) {
        return new VerbsException(Errno.EBUSY, queue + " is polled by a subscription");
    }

    // rule completion-moderation-limits
    public void checkModeration(int count, Duration period) {
        if (!can().canModerate()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " does not support completion moderation");
        }
        if (count < 0
                || count > can().maxModeratedEntries()
                || period.isNegative()
                || period.compareTo(can().maxModerationPeriod()) > 0) {
            throw VerbsException.invalid("moderation by " + count + " entries and " + period
                    + " is out of range; up to " + can().maxModeratedEntries() + " entries and "
                    + can().maxModerationPeriod() + " are allowed");
        }
    }

    public void checkResize(int entries) {
        if (entries < 1 || entries > can().maxEntries()) {
            throw VerbsException.invalid("the number of entries of a completion queue is " + entries + "; 1 to "
                    + can().maxEntries() + " is allowed");
        }
    }
}
