// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.Part;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.Lease;

// rule memory-reregister-fails
/** The key of a region whose re-registration failed: all that is left for it is to be taken away. */
record UndefinedRegion(int key) implements TranslatedKey {
    @Override
    public Optional<Denial> closed() {
        return Optional.of(new Denial.Undefined());
    }

    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parts) {
        throw new IllegalStateException("a lease on key 0x%08x, which is closed".formatted(key));
    }

    @Override
    public Step after(KeyChange change) {
        return new Step.Refused(new Denial.Undefined());
    }

    @Override
    public Optional<Denial> refusal(Part.Hold wanted) {
        return closed();
    }

    @Override
    public boolean isToldByItsOwner() {
        return true;
    }
}
