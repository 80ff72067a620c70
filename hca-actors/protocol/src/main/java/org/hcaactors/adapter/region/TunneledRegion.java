// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.fabric.flow.Stamp;

// rule atomic-tunneled-region
/**
 * The key of a region that WRITEs send commands to (tunneled atomics). No window can be bound to it and no other key maps it,
 * so that commands arrive only under its own key.
 */
public record TunneledRegion(Region region) implements TranslatedKey {
    @Override
    public int key() {
        return region.key();
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new Use(new RegionLease(grant, region, origin));
    }

    @Override
    public ChangeResult apply(KeyChange change) {
        return region.apply(change);
    }

    @Override
    public Optional<Denial> partDenial() {
        return Optional.of(new Denial.NotBindable());
    }

    @Override
    public HcaEvent changeEvent(Stamp at, String port, int before) {
        return region.changeEvent(at, port, before);
    }

    private record Use(RegionLease plain) implements DelegatingLease {
        @Override
        public boolean tunnels() {
            return true;
        }
    }
}
