// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.VerbsException;

/**
 * Description of a DC target to create ({@code mlx5dv_create_qp} with {@code MLX5DV_DCTYPE_DCT}).
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
     * @param completions completion queue of incoming messages
     * @param receives shared receive queue of incoming messages
     * @param accessKey key that initiators must present, 64 bits
     */
    public static DcTargetDescription of(CompletionQueue completions, SharedReceiveQueue receives, long accessKey) {
        return new DcTargetDescription(completions, receives, accessKey, OptionalInt.empty(), 0, false);
    }

    /**
     * Sets the maximum number of sessions at a time, taken from the adapter's pool; EINVAL at once below 1 or below the number
     * of spared responders. By default only the pool limits the sessions.
     */
    public DcTargetDescription withMaxResponders(int max) {
        if (max < Math.max(1, sparedResponders)) {
            throw VerbsException.invalid(
                    "at most %s, and %d reserved; 1 or more are allowed, and at least as many as are reserved"
                            .formatted(counted(max), sparedResponders));
        }
        return new DcTargetDescription(
                completions, receives, accessKey, OptionalInt.of(max), sparedResponders, fullHandshake);
    }

    /**
     * Sets how many responders the target keeps free, of its own maximum and of the adapter's pool: if connecting would leave
     * fewer, the initiator receives a CNAK and retries. EINVAL at once below 0 or above the maximum number of responders. With
     * 0, the default, a CONNECT is not answered if no responder is free.
     */
    public DcTargetDescription withSparedResponders(int min) {
        if (min < 0 || maxResponders.isPresent() && min > maxResponders.getAsInt()) {
            throw VerbsException.invalid("%d reserved responders; 0 to %s are allowed"
                    .formatted(
                            min,
                            maxResponders.isPresent()
                                    ? Integer.toString(maxResponders.getAsInt())
                                    : "as many as the adapter has"));
        }
        return new DcTargetDescription(completions, receives, accessKey, maxResponders, min, fullHandshake);
    }

    /**
     * Requires the full handshake: messages that arrive before the initiator received its session number are dropped ({@code
     * force_full_handshake}).
     */
    public DcTargetDescription withFullHandshake() {
        return new DcTargetDescription(completions, receives, accessKey, maxResponders, sparedResponders, true);
    }

    /** Completion queue of incoming messages. */
    public CompletionQueue cq() {
        return completions;
    }

    /** Shared receive queue of incoming messages. */
    public SharedReceiveQueue srq() {
        return receives;
    }

    /** Access key that initiators must present, 64 bits. */
    public long accessKey() {
        return accessKey;
    }

    /** Maximum number of sessions; empty: all responders of the adapter's pool. */
    public OptionalInt maxResponders() {
        return maxResponders;
    }

    /** Number of responders to keep free; 0 by default. */
    public int sparedResponders() {
        return sparedResponders;
    }

    /** True if initiators must wait for the answer to their CONNECT. */
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
