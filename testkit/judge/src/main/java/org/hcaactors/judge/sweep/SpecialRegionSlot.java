// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

/**
 * Place for regions of one kind, one after the other, and for the queue pairs that use them.
 *
 * @param domain their protection domain
 */
record SpecialRegionSlot(
        SweepContext sweep, SweepNode site, ProtectionDomain domain, SplittableRandom random, SpecialRegionKind kind) {
    private static final String ROOT = "root";

    /** Returns a slot for a kind that the adapter has. */
    static SpecialRegionSlot on(SweepContext sweep, SweepNode site, SplittableRandom random) {
        return of(sweep, site, random, SpecialRegionKind.any(site.adapter.profile(), random));
    }

    /** Returns a slot for a kind on demand if the adapter has one. */
    static SpecialRegionSlot paged(SweepContext sweep, SweepNode site, SplittableRandom random) {
        return of(sweep, site, random, SpecialRegionKind.paged(site.adapter.profile(), random));
    }

    private static SpecialRegionSlot of(
            SweepContext sweep, SweepNode site, SplittableRandom random, SpecialRegionKind kind) {
        return new SpecialRegionSlot(sweep, site, kind.isRoots() ? roots(site) : site.domain, random, kind);
    }

    private static ProtectionDomain roots(SweepNode site) {
        return site.adapter.process(ROOT, Credentials.ROOT).open().allocatePd();
    }

    Half half() {
        return kind.isRoots() ? Half.on(Side.within(sweep.world().network(), domain, Long.BYTES)) : site.half();
    }

    SpecialRegion open() {
        return kind.open(this);
    }

    /** Registers with all access rights except binding windows. */
    MemoryRegion register(Registration requested) {
        return sweep.world().await(domain.register(requested.withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    /** Fills the memory with a recognizable pattern; only the adapter changes it from now on. */
    void begins(String process, HostMemory memory) {
        byte[] pattern = new byte[Math.toIntExact(memory.lengthBytes())];
        random.nextBytes(pattern);
        memory.write(0, pattern);
        guard(process, memory);
    }

    /** Guards the memory: only the adapter changes it from now on. */
    void guard(String process, HostMemory memory) {
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(site.adapter, process, memory);
        }
    }
}
