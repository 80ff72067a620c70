// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.VerbsException;

/**
 * Describes a dynamically connected target before it is created ({@code mlx5dv_create_qp} with {@code MLX5DV_DCTYPE_DCT}).
 *
 * <p>Immutable.
 */
public final class DcTargetDescription {
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final long accessKey;
    private final OptionalInt maxResponders;
    private final int sparedResponders;
    private final boolean fullHandshake;

    private DcTargetDescription(
            CompletionQueue completions,
            SharedReceiveQueue receives,
            long accessKey,
            OptionalInt maxResponders,
            int sparedResponders,
            boolean fullHandshake) {
        this.completions = Objects.requireNonNull(completions, "a target without a completion queue");
        this.receives = Objects.requireNonNull(receives, "a target without a shared receive queue");
        this.accessKey = accessKey;
        this.maxResponders = maxResponders;
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

    /**
     * Sessions at a time, of those that the adapter's pool has; EINVAL at once below 1, or where it spares more. Unless said, the
     * pool alone bounds them.
     */
    public DcTargetDescription withMaxResponders(int max) {
        if (max < Math.max(1, sparedResponders)) {
            throw VerbsException.invalid("at most %s, and %d spared; 1 or more are allowed, and as many as are spared"
                    .formatted(counted(max), sparedResponders));
        }
        return new DcTargetDescription(
                completions, receives, accessKey, OptionalInt.of(max), sparedResponders, fullHandshake);
    }

    /**
     * If taking one would leave fewer than so many responders to it, of its own most and of the adapter's pool, who connects is told
     * to come again ({@code CNAK}); EINVAL at once below 0, or for more than it may have. With 0, which holds unless said, connecting is not
     * answered where none is left.
     */
    public DcTargetDescription withSparedResponders(int min) {
        if (min < 0 || maxResponders.isPresent() && min > maxResponders.getAsInt()) {
            throw VerbsException.invalid("%d spared responders; 0 to %s are allowed"
                    .formatted(
                            min,
                            maxResponders.isPresent()
                                    ? Integer.toString(maxResponders.getAsInt())
                                    : "as many as the adapter has"));
        }
        return new DcTargetDescription(completions, receives, accessKey, maxResponders, min, fullHandshake);
    }

    /** What comes before the session's number is known is not taken, whatever the initiator hopes ({@code force_full_handshake}). */
    public DcTargetDescription withFullHandshake() {
        return new DcTargetDescription(completions, receives, accessKey, maxResponders, sparedResponders, true);
    }

    /** Where messages end. */
    public CompletionQueue completions() {
        return completions;
    }

    /** Where their receives come from. */
    public SharedReceiveQueue receives() {
        return receives;
    }

    /** What initiators have to bring, 64 bits. */
    public long accessKey() {
        return accessKey;
    }

    /** Empty: as many as the adapter's pool has. */
    public OptionalInt maxResponders() {
        return maxResponders;
    }

    /** 0: it spares none. */
    public int sparedResponders() {
        return sparedResponders;
    }

    /** Initiators must wait for the answer to their CONNECT. */
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
                        maxResponders.isPresent() ? ", at most " + counted(maxResponders.getAsInt()) : "",
                        sparedResponders > 0 ? ", sparing " + sparedResponders : "",
                        fullHandshake ? ", by full handshake" : "");
    }

    private static String counted(int responders) {
        return responders + (responders == 1 ? " responder" : " responders");
    }
}
