// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

/**
 * The adapter, as communication management sees it.
 *
 * @param caGuid its GUID
 * @param targetAckDelay 5 bits: time in which it acknowledges, as a code, see {@link CmTimeouts#nanos}
 * @param firstCommId communication IDs are assigned from the next one on; other
 *     adapters begin elsewhere, and so does the same adapter after a restart: a peer cannot tell its new IDs from old ones
 */
public record CmDevice(long caGuid, int targetAckDelay, int firstCommId) {
    /** Odd factor that gives adapters whose GUIDs differ in a few bits communication IDs far from each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** Distance of the communication IDs before and after a restart. */
    private static final int RESTART = 0x0100_0000;

    // rule cm-reply
    /**
     * @param ackDelayCode of the profile's port
     * @param offset of communication IDs from those of another adapter with that GUID, as before the end of its process
     * @param restarts number of restarts so far
     */
    public static CmDevice of(long caGuid, int ackDelayCode, int offset, int restarts) {
        int first = (int) (caGuid * SPREAD >>> Integer.SIZE) + offset + restarts * RESTART;
        return new CmDevice(caGuid, ackDelayCode, first);
    }
}
