// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import org.hcaactors.adapter.host.HostBuffers;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.AccessFlags;

/**
 * The key of a memory region.
 *
 * @param domain number of its protection domain
 * @param address first address of the range
 * @param lengthBytes of the range
 * @param rights what the key allows
 * @param memory what is behind the range
 */
public record Region(int key, int domain, long address, long lengthBytes, AccessFlags rights, HostBuffers memory)
        implements TranslatedKey {

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parts) {
        return new RegionLease(grant, this, origin);
    }
}
