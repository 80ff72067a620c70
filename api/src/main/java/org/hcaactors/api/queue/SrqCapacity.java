package org.hcaactors.api.queue;

/**
 * Sizes of a shared receive queue ({@code ibv_srq_attr}); creation may give more.
 *
 * @param maxWr receives on it
 * @param maxSge elements of a receive
 */
public record SrqCapacity(int maxWr, int maxSge) {
    public static final SrqCapacity DEFAULT = new SrqCapacity(256, 4);
}
