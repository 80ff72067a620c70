// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Checks of an atomic that is posted, as the mlx5 library does (libmlx5 qp.c set_ext_atomic_seg). */
final class AtomicPosting {
    private AtomicPosting() {}

    // rules post-atomics, post-atomic-replies, post-masked-sizes
    /**
     * @throws VerbsException EOPNOTSUPP if the adapter has no atomics, EINVAL if the adapter or the queue pair does not support
     *     this one
     */
    static void check(int bytes, boolean masked, QpPlan plan) {
        AtomicCapabilities able = plan.profile().atomics();
        if (!able.eightBytes()) {
            throw new VerbsException(Errno.EOPNOTSUPP, plan.profile().name() + " has no atomics");
        }
        if (plan.atomics().repliesSwapped() && !plan.options().bigEndianReplies()) {
            throw VerbsException.invalid(plan.profile().name()
                    + " returns atomic results in big-endian order; to post atomics,"
                    + " create the queue pair with QpDescription.withBigEndianReplies()");
        }
        if (masked) {
            checkSize(bytes, able, plan);
        }
    }

    private static void checkSize(int bytes, AtomicCapabilities able, QpPlan plan) {
        if (!able.hasMasked(bytes)) {
            throw VerbsException.invalid("a masked atomic of %d bytes is not possible; %s"
                    .formatted(
                            bytes,
                            able.maskedSizes() == 0
                                    ? plan.profile().name() + " has no masked atomics"
                                    : AtomicCapabilities.sizes(able.maskedSizes()) + " are allowed"));
        }
        int max = Math.min(plan.capacity().maxAtomicBytes(), 1 << able.logMaxInline());
        if (bytes > max) {
            throw VerbsException.invalid(
                    "a masked atomic of %d bytes is too long; the queue pair allows up to %d, the adapter in a request up to %d"
                            .formatted(bytes, plan.capacity().maxAtomicBytes(), 1 << able.logMaxInline()));
        }
    }
}
