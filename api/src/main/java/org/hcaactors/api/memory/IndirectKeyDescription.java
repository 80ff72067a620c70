// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Description of an indirect key to create ({@code mlx5dv_mkey_init_attr}). Each method returns a new description.
 *
 * <p>Immutable.
 */
public final class IndirectKeyDescription {
    private final int maxEntries;
    private final boolean remoteInvalidation;

    private IndirectKeyDescription(int maxEntries, boolean remoteInvalidation) {
        this.maxEntries = maxEntries;
        this.remoteInvalidation = remoteInvalidation;
    }

    /** @param maxEntries maximum {@link KeyLayout#entries()} of its layouts */
    public static IndirectKeyDescription of(int maxEntries) {
        return new IndirectKeyDescription(maxEntries, false);
    }

    /** Allows a peer's SEND to invalidate it ({@code REMOTE_INVALIDATE}). */
    public IndirectKeyDescription withRemoteInvalidation() {
        return new IndirectKeyDescription(maxEntries, true);
    }

    public int maxEntries() {
        return maxEntries;
    }

    public boolean remoteInvalidation() {
        return remoteInvalidation;
    }

    @Override
    public String toString() {
        return "an indirect key of " + maxEntries + " entries" + (remoteInvalidation ? ", remotely invalidatable" : "");
    }
}
