// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.memory;

import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;

/**
 * What a key's translator grants to a queue pair: use of the range until it asks for it back. An adapter caches
 * translations in the same way.
 *
 * @param grant unique among the grants of its adapter
 * @param key the key as it was asked for, variant included
 * @param domain number of the key's protection domain
 * @param address first address of the range
 * @param lengthBytes of the range
 * @param rights what the key allows
 * @param memory what is behind the range
 * @param origin takes the lease back
 */
public record Lease(
        long grant,
        int key,
        int domain,
        long address,
        long lengthBytes,
        AccessFlags rights,
        HostBuffers memory,
        Origin origin) {

    /** The translator behind a lease. Called from any thread; it only tells its actor. */
    @FunctionalInterface
    public interface Origin {
        void released(long grant);
    }

    public void release() {
        origin.released(grant);
    }

    /** The whole of the range lies in the leased one. */
    public boolean covers(long from, long count) {
        long offset = from - address;
        return offset >= 0 && count >= 0 && offset <= lengthBytes && count <= lengthBytes - offset;
    }

    public boolean allows(Access right) {
        return rights.allows(right);
    }
}
