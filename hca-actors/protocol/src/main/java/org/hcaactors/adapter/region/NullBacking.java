// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;

// rule memory-null
/** Backing of a null region. */
public enum NullBacking implements RegionBacking {
    NOTHING;

    @Override
    public KeyKind kind() {
        return KeyKind.NULL_REGION;
    }

    @Override
    public long address() {
        return 0;
    }

    @Override
    public long lengthBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        return Optional.of(InlineCopyFailed.Addresses.OF_NOTHING);
    }

    @Override
    public HostMemory memory() {
        throw VerbsException.invalid("a null region covers no memory");
    }

    @Override
    public void check(AccessFlags rights) {}

    @Override
    public Optional<String> lasting() {
        return Optional.of("it is a null region");
    }

    @Override
    public TranslatedKey translatedKey(int key, int domain, AccessFlags rights) {
        return new NullRegion(key, domain);
    }
}
