// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.host.PhysicalMemory;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;

// rule memory-physical
/** A range of the host's physical memory; nothing is pinned. */
public record PhysicalRange(PhysicalMemory physical, long address, long lengthBytes) implements RegionBacking {
    @Override
    public KeyKind kind() {
        return KeyKind.PHYSICAL_REGION;
    }

    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        return Optional.of(InlineCopyFailed.Addresses.PHYSICAL);
    }

    @Override
    public HostMemory memory() {
        throw VerbsException.invalid("a region of physical addresses covers no memory of a process");
    }

    @Override
    public void check(AccessFlags rights) {
        if (!rights.isWithin(AccessFlags.LOCAL_AND_REMOTE)) {
            throw VerbsException.invalid(
                    "physical addresses can't allow " + rights + "; they can allow " + AccessFlags.LOCAL_AND_REMOTE);
        }
    }

    @Override
    public Optional<String> lasting() {
        return Optional.of("it covers physical addresses");
    }

    @Override
    public TranslatedKey translatedKey(int key, int domain, AccessFlags rights) {
        return new PhysicalRegion(key, domain, this, rights);
    }
}
