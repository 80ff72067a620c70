// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.number.Limits;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.work.FillKey;

/** Checks of queue pairs that fill indirect keys and of their requests, as in the mlx5 library (rule indirect-post). */
public final class FillChecks {
    private FillChecks() {}

    /**
     * @throws VerbsException EOPNOTSUPP if queue pairs of that kind cannot fill keys, EINVAL for too many entries in a request
     */
    public static void check(QueuePairKind kind, QpDescription.Options options, Profile profile) {
        if (options.maxInlineEntries() == 0) {
            return;
        }
        IndirectKeyCapabilities max = profile.indirectKeys();
        if (!max.isSupported() || !kind.canFillKeys()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "only an RC queue pair can fill indirect keys, on an adapter with such keys");
        }
        Limits.within("inlineEntries", options.maxInlineEntries(), 0, max.maxInlineEntries());
    }

    /** @throws VerbsException EOPNOTSUPP; ENOMEM for too many entries; EINVAL for unsupported strides or access rights */
    static void check(FillKey fill, QpPlan plan) {
        int inline = plan.options().maxInlineEntries();
        if (inline == 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "queue pair " + plan.number() + " was not created to fill indirect keys");
        }
        int entries = fill.layout().entries();
        fits(entries, fill.maxEntries(), "the key");
        if (fill.listEntries().isPresent()) {
            fits(entries, fill.listEntries().getAsInt(), "the list memory");
        } else {
            fits(entries, inline, "a request of queue pair " + plan.number());
        }
        if (fill.layout().isInterleaved()) {
            checkStrides(fill, plan.profile());
        }
        if (!fill.access().isWithin(AccessFlags.LOCAL_AND_REMOTE)) {
            throw VerbsException.invalid(
                    "an indirect key can't allow " + fill.access() + "; it can allow " + AccessFlags.LOCAL_AND_REMOTE);
        }
    }

    private static void fits(int entries, int max, String into) {
        if (entries > max) {
            throw new VerbsException(Errno.ENOMEM, entries + " entries do not fit; " + into + " has room for " + max);
        }
    }

    private static void checkStrides(FillKey fill, Profile profile) {
        IndirectKeyCapabilities max = profile.indirectKeys();
        if (max.maxStrideDimensions() == 0) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " does not support strides in indirect keys");
        }
        for (StridedSlice slice : fill.layout().slices()) {
            if (slice.lengthBytes() > max.maxStrideBytes() || slice.strideBytes() > max.maxStrideBytes()) {
                throw VerbsException.invalid("a slice has " + slice.lengthBytes() + " bytes and a stride of "
                        + slice.strideBytes() + " bytes; at most " + max.maxStrideBytes() + " are allowed for each");
            }
        }
    }
}
