// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.host.ProcessBytes;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.paging.PagedRange;
import org.hcaactors.adapter.paging.RegionPager;
import org.hcaactors.fabric.flow.Stamp;

/**
 * The key of an on-demand region.
 *
 * @param region the region without its pages
 * @param bytes the process's memory
 */
public record PagedRegion(Region region, PagedRange range, ProcessBytes bytes, RegionPager pager)
        implements TranslatedKey {
    @Override
    public int key() {
        return region.key();
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new PagedLease(new RegionLease(grant, region, origin), this);
    }

    // rule paging-reregister
    @Override
    public ChangeResult apply(KeyChange change) {
        return region.apply(change);
    }

    @Override
    public Optional<Denial> holdDenial(ParentKey.Hold requested) {
        return region.holdDenial(requested);
    }

    @Override
    public HcaEvent changeEvent(Stamp at, String port, int before) {
        return region.changeEvent(at, port, before);
    }
}
