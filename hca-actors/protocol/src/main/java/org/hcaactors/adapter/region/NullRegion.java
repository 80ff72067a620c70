// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Arrays;
import java.util.List;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

// rule memory-null
/** The key of a null region, which has no memory and covers all addresses. */
record NullRegion(int key, int domain) implements TranslatedKey {
    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new Use(grant, this, origin);
    }

    private record Use(long grant, NullRegion region, Origin origin) implements Lease {
        @Override
        public int key() {
            return region.key;
        }

        @Override
        @MutationPoint("null-region.use.answer")
        public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
            if (region.domain != user.domain()) {
                return new Denied(new Denial.ForeignDomain(region.domain, user.domain()));
            }
            return right == null || right == Access.LOCAL_WRITE
                    ? Ready.READY
                    : new Denied(new Denial.MissingRight(right));
        }

        @Override
        @MutationPoint("null-region.use.load")
        public void load(long from, byte[] target, int targetOffset, int count) {
            Arrays.fill(target, targetOffset, targetOffset + count, (byte) 0);
        }

        @Override
        public void store(long to, Octets source, int sourceOffset, int count) {}

        /** Atomics are remote, and remote access is denied. */
        @Override
        public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
            throw new IllegalStateException("an atomic under key 0x%08x of a null region".formatted(region.key));
        }

        @Override
        public void release() {
            origin.released(grant);
        }
    }
}
