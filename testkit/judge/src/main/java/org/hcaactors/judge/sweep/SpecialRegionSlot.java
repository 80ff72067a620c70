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
 * Where odd regions of one kind live, one after the other, and the queue pairs that use them.
 *
 * @param domain of them
 */
record SpecialRegionSlot(
        SweepContext setting,
        SweepNode site,
        ProtectionDomain domain,
        SplittableRandom random,
        SpecialRegionKind kind) {
    private static final String ROOT = "root";

    /** Of a kind that the adapter has. */
    static SpecialRegionSlot on(SweepContext setting, SweepNode site, SplittableRandom random) {
        return of(setting, site, random, SpecialRegionKind.any(site.adapter.profile(), random));
    }

    /** Of a kind whose pages come when they are used, where the adapter has one. */
    static SpecialRegionSlot paged(SweepContext setting, SweepNode site, SplittableRandom random) {
        return of(setting, site, random, SpecialRegionKind.paged(site.adapter.profile(), random));
    }

    private static SpecialRegionSlot of(
            SweepContext setting, SweepNode site, SplittableRandom random, SpecialRegionKind kind) {
        return new SpecialRegionSlot(setting, site, kind.isRoots() ? roots(site) : site.domain, random, kind);
    }

    private static ProtectionDomain roots(SweepNode site) {
        return site.adapter.process(ROOT, Credentials.ROOT).open().allocatePd();
    }

    Half half() {
        return kind.isRoots() ? Half.on(Side.within(setting.world().network(), domain, Long.BYTES)) : site.half();
    }

    SpecialRegion open() {
        return kind.open(this);
    }

    /** With every right but to bind windows. */
    MemoryRegion register(Registration requested) {
        return setting.world().await(domain.register(requested.withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    /** With bytes that tell where they are from; nobody but the adapter changes it from now on. */
    void begins(String process, HostMemory memory) {
        byte[] pattern = new byte[Math.toIntExact(memory.lengthBytes())];
        random.nextBytes(pattern);
        memory.write(0, pattern);
        guard(process, memory);
    }

    /** Nobody but the adapter changes it from now on. */
    void guard(String process, HostMemory memory) {
        if (setting.world().watch() != Watch.NOBODY) {
            setting.world().guard(site.adapter, process, memory);
        }
    }
}
