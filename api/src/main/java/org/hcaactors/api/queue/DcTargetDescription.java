// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.OptionalInt;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.VerbsException;

/**
 * Description of a DC target to create ({@code mlx5dv_create_qp} with {@code MLX5DV_DCTYPE_DCT}).
 *
 * <p>Immutable.
 */
public final class DcTargetDescription {
    private final CompletionQueue cq;
    private final SharedReceiveQueue srq;
    private final DcAccessKey accessKey;
    private final OptionalInt maxResponders;
    private final int reservedResponders;
    private final boolean fullHandshake;

    private DcTargetDescription(
            CompletionQueue cq,
            SharedReceiveQueue srq,
            DcAccessKey accessKey,
            OptionalInt maxResponders,
            int reservedResponders,
            boolean fullHandshake) {
        this.cq = Objects.requireNonNull(cq, "cq is null; a DC target requires a completion queue");
        this.srq = Objects.requireNonNull(srq, "srq is null; a DC target requires a shared receive queue");
        this.accessKey = Objects.requireNonNull(accessKey, "accessKey is null; a DC target requires an access key");
        this.maxResponders = maxResponders;
        this.reservedResponders = reservedResponders;
        this.fullHandshake = fullHandshake;
    }

    /**
     * @param cq completion queue of incoming messages
     * @param srq shared receive queue of incoming messages
     * @param accessKey key that initiators must present
     */
    public static DcTargetDescription of(CompletionQueue cq, SharedReceiveQueue srq, DcAccessKey accessKey) {
        return new DcTargetDescription(cq, srq, accessKey, OptionalInt.empty(), 0, false);
    }

    /**
     * Sets the maximum number of sessions at a time, taken from the adapter's pool; EINVAL at once below 1 or below the number
     * of spared responders. By default only the pool limits the sessions.
     */
    public DcTargetDescription withMaxResponders(int max) {
        if (max < Math.max(1, reservedResponders)) {
            throw VerbsException.invalid(
                    "the maximum is %s, and %d are reserved; at least 1 and at least the reserved number is allowed"
                            .formatted(counted(max), reservedResponders));
        }
        return new DcTargetDescription(cq, srq, accessKey, OptionalInt.of(max), reservedResponders, fullHandshake);
    }

    /**
     * Sets how many responders the target keeps free, of its own maximum and of the adapter's pool: if connecting would leave
     * fewer, the initiator receives a CNAK and retries. EINVAL at once below 0 or above the maximum number of responders. With
     * 0, the default, a CONNECT is not answered if no responder is free.
     */
    public DcTargetDescription withReservedResponders(int min) {
        if (min < 0 || maxResponders.isPresent() && min > maxResponders.getAsInt()) {
            throw VerbsException.invalid("the number of reserved responders is %d; 0 to %s is allowed"
                    .formatted(
                            min,
                            maxResponders.isPresent()
                                    ? Integer.toString(maxResponders.getAsInt())
                                    : "the adapter's maximum"));
        }
        return new DcTargetDescription(cq, srq, accessKey, maxResponders, min, fullHandshake);
    }

    /**
     * Requires the full handshake: messages that arrive before the initiator received its session number are dropped ({@code
     * force_full_handshake}).
     */
    public DcTargetDescription withFullHandshake() {
        return new DcTargetDescription(cq, srq, accessKey, maxResponders, reservedResponders, true);
    }

    /** Completion queue of incoming messages. */
    public CompletionQueue cq() {
        return cq;
    }

    /** Shared receive queue of incoming messages. */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /** Access key that initiators must present. */
    public DcAccessKey accessKey() {
        return accessKey;
    }

    /** Maximum number of sessions; empty: all responders of the adapter's pool. */
    public OptionalInt maxResponders() {
        return maxResponders;
    }

    /** Number of responders to keep free; 0 by default. */
    public int reservedResponders() {
        return reservedResponders;
    }

    /** True if initiators must wait for the answer to their CONNECT. */
    public boolean fullHandshake() {
        return fullHandshake;
    }

    @Override
    public String toString() {
        return "DC target, %s, receives from %s, completing on %s%s%s%s"
                .formatted(
                        accessKey,
                        srq.describe(),
                        cq.describe(),
                        maxResponders.isPresent() ? ", at most " + counted(maxResponders.getAsInt()) : "",
                        reservedResponders > 0 ? ", reserving " + reservedResponders : "",
                        fullHandshake ? ", with full handshake" : "");
    }

    private static String counted(int responders) {
        return responders + (responders == 1 ? " responder" : " responders");
    }
}
