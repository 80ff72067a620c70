// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.device.Identity;
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
record OddPlace(Setting setting, Site site, ProtectionDomain domain, SplittableRandom lots, OddKind kind) {
    private static final String ROOT = "root";

    /** Of a kind that the adapter has. */
    static OddPlace on(Setting setting, Site site, SplittableRandom lots) {
        return of(setting, site, lots, OddKind.any(site.adapter.profile(), lots));
    }

    /** Of a kind whose pages come when they are used, where the adapter has one. */
    static OddPlace paged(Setting setting, Site site, SplittableRandom lots) {
        return of(setting, site, lots, OddKind.paged(site.adapter.profile(), lots));
    }

    private static OddPlace of(Setting setting, Site site, SplittableRandom lots, OddKind kind) {
        return new OddPlace(setting, site, kind.isRoots() ? roots(site) : site.domain, lots, kind);
    }

    private static ProtectionDomain roots(Site site) {
        return site.adapter.process(ROOT, Identity.ROOT).open().allocatePd();
    }

    Half half() {
        return kind.isRoots() ? Half.on(Side.within(setting.world().network(), domain, Long.BYTES)) : site.half();
    }

    OddRegion open() {
        return kind.open(this);
    }

    /** With every right but to bind windows. */
    MemoryRegion register(Registration wanted) {
        return setting.world().await(domain.register(wanted.allowing(AccessFlags.LOCAL_AND_REMOTE)));
    }

    /** With bytes that tell where they are from; nobody but the adapter changes it from now on. */
    void begins(String process, HostMemory memory) {
        byte[] pattern = new byte[Math.toIntExact(memory.lengthBytes())];
        lots.nextBytes(pattern);
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
