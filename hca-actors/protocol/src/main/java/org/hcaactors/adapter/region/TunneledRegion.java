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
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parts) {
        return new Use(new RegionLease(grant, region, origin));
    }

    @Override
    public Step after(KeyChange change) {
        return region.after(change);
    }

    @Override
    public Optional<Denial> refusalAsPart() {
        return Optional.of(new Denial.NotBindable());
    }

    @Override
    public HcaEvent news(Stamp at, String port, int before) {
        return region.news(at, port, before);
    }

    private record Use(RegionLease plain) implements DelegatingLease {
        @Override
        public boolean tunnels() {
            return true;
        }
    }
}
