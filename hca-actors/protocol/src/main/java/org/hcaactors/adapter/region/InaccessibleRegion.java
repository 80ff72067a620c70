// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/**
 * The key of a region that permits no access: its reregistration failed, its memory was revoked, or it exists only to be
 * shared.
 *
 * @param covers the region that would be accessible, if it is complete
 */
public record InaccessibleRegion(int key, Denial reason, Optional<Region> covers) implements TranslatedKey {
    @Override
    public Optional<Denial> denial() {
        return Optional.of(reason);
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        throw new IllegalStateException("key 0x%08x is closed and grants no lease".formatted(key));
    }

    // rule memory-reregister-fails
    @Override
    public ChangeResult apply(KeyChange change) {
        return change instanceof KeyChange.Reregister reregister && reason instanceof Denial.OnlyShared
                ? new ChangeResult.Becomes(reregister.next())
                : new ChangeResult.Refused(reason);
    }

    @Override
    public Optional<Denial> holdDenial(ParentKey.Hold requested) {
        return denial();
    }

    @Override
    public HcaEvent changeEvent(Stamp at, String port, int before) {
        return covers.map(region -> region.changeEvent(at, port, before))
                .orElseGet(() -> new HcaEvent.BecameUndefined(at, port, Element.key(key)));
    }
}
