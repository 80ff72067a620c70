// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.OptionalInt;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * Describes a dynamically connected target before it is created ({@code mlx5dv_create_qp} with {@code MLX5DV_DCTYPE_DCT}).
 *
 * <p>Immutable.
 */
public final class DcTargetDescription {
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final long accessKey;
    private final OptionalInt mostResponders;
    private final int sparedResponders;
    private final boolean fullHandshake;

    private DcTargetDescription(
            CompletionQueue completions,
            SharedReceiveQueue receives,
            long accessKey,
            OptionalInt mostResponders,
            int sparedResponders,
            boolean fullHandshake) {
        this.completions = completions;
        this.receives = receives;
        this.accessKey = accessKey;
        this.mostResponders = mostResponders;
        this.sparedResponders = sparedResponders;
        this.fullHandshake = fullHandshake;
    }

    /**
     * @param completions where messages end
     * @param receives where their receives come from
     * @param accessKey that initiators have to bring, 64 bits
     */
    public static DcTargetDescription of(CompletionQueue completions, SharedReceiveQueue receives, long accessKey) {
        return new DcTargetDescription(completions, receives, accessKey, OptionalInt.empty(), 0, false);
    }

    /** Sessions at a time, of those that the adapter's pool has; EINVAL at once below 1. Unless said, the pool alone bounds them. */
    public DcTargetDescription withMostResponders(int most) {
        if (most < 1) {
            throw VerbsException.invalid("at most " + most + " responders; 1 or more are allowed");
        }
        return new DcTargetDescription(
                completions, receives, accessKey, OptionalInt.of(most), sparedResponders, fullHandshake);
    }

    /**
     * With fewer than so many responders left, who connects is told to come again ({@code CNAK}); EINVAL at once below 0. With
     * 0, which holds unless said, connecting is not answered where none is left.
     */
    public DcTargetDescription withSparedResponders(int least) {
        if (least < 0) {
            throw VerbsException.invalid(least + " spared responders; 0 or more are allowed");
        }
        return new DcTargetDescription(completions, receives, accessKey, mostResponders, least, fullHandshake);
    }

    /** What comes before the session's number is known is not taken, whatever the initiator hopes ({@code force_full_handshake}). */
    public DcTargetDescription forcingFullHandshake() {
        return new DcTargetDescription(completions, receives, accessKey, mostResponders, sparedResponders, true);
    }

    public CompletionQueue completions() {
        return completions;
    }

    public SharedReceiveQueue receives() {
        return receives;
    }

    public long accessKey() {
        return accessKey;
    }

    /** Empty: as many as the adapter's pool has. */
    public OptionalInt mostResponders() {
        return mostResponders;
    }

    public int sparedResponders() {
        return sparedResponders;
    }

    public boolean fullHandshake() {
        return fullHandshake;
    }

    @Override
    public String toString() {
        return "target of access key 0x%016x, receives from %s, completing on %s%s%s%s"
                .formatted(
                        accessKey,
                        receives.describe(),
                        completions.describe(),
                        mostResponders.isPresent() ? ", at most " + mostResponders.getAsInt() + " responders" : "",
                        sparedResponders > 0 ? ", sparing " + sparedResponders : "",
                        fullHandshake ? ", by full handshake" : "");
    }
}
