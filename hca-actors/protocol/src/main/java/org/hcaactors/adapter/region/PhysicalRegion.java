// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

// rule memory-physical
/** The key of a range of the host's physical memory. The memory behind an address is looked up for each access. */
record PhysicalRegion(int key, int domain, PhysicalRange range, AccessFlags rights) implements TranslatedKey {
    @Override
    public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
        return new Use(grant, this, origin);
    }

    @MutationPoint("physical-region.covers")
    private boolean covers(long from, long count) {
        long offset = from - range.address();
        return offset >= 0 && count >= 0 && count <= range.lengthBytes() - offset;
    }

    /** Empty if memory was unmapped between the check and the copy. */
    private Optional<MappedMemory> memory(long from, long count) {
        return range.physical().at(from, count);
    }

    private record Use(long grant, PhysicalRegion region, Origin origin) implements Lease {
        @Override
        public int key() {
            return region.key;
        }

        @Override
        public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
            if (region.domain != user.domain()) {
                return new Denied(new Denial.ForeignDomain(region.domain, user.domain()));
            }
            boolean inside =
                    region.covers(from, count) && region.memory(from, count).isPresent();
            if (count != 0 && !inside) {
                PhysicalRange range = region.range;
                return new Denied(new Denial.OutOfRange(range.address(), range.lengthBytes(), from, count));
            }
            return right == null || region.rights.allows(right)
                    ? Ready.READY
                    : new Denied(new Denial.MissingRight(right));
        }

        /** Addresses in between may have no memory. */
        @Override
        public boolean hasGaps() {
            return true;
        }

        @Override
        public void load(long from, byte[] target, int targetOffset, int count) {
            region.memory(from, count)
                    .ifPresentOrElse(
                            memory -> memory.load(in(memory, from), target, targetOffset, count),
                            () -> Arrays.fill(target, targetOffset, targetOffset + count, (byte) 0));
        }

        @Override
        public void store(long to, Octets source, int sourceOffset, int count) {
            region.memory(to, count).ifPresent(memory -> memory.store(in(memory, to), source, sourceOffset, count));
        }

        @Override
        public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
            return region.memory(at, atomic.sizeBytes())
                    .map(memory -> memory.update(in(memory, at), atomic, unit))
                    .orElse(AtomicValue.zeros(atomic.sizeBytes()));
        }

        @MutationPoint("physical-region.use.in")
        private static long in(MappedMemory memory, long busAddress) {
            return busAddress - memory.busAddress() + memory.address();
        }

        @Override
        public void release() {
            origin.released(grant);
        }
    }
}
