// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.Arrays;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/** All memory of a process in a modelled address space. Any thread. */
final class ModelledBytes implements ProcessBytes {
    private final ModelledSpace space;

    /** Memory found last; use after unmapping is detected. */
    private @Nullable MappedMemory last;

    ModelledBytes(ModelledSpace space) {
        this.space = space;
    }

    private @Nullable MappedMemory find(long at) {
        MappedMemory known = last;
        if (known != null && known.holds(at, 1) && known.isMapped()) {
            return known;
        }
        MappedMemory found = space.find(at, 1).orElse(null);
        last = found;
        return found;
    }

    @Override
    public long firstUnmapped(long from, long count) {
        MappedMemory known = find(from);
        if (known != null && known.holds(from, count)) {
            return -1;
        }
        return space.firstUnmapped(from, count).orElse(-1);
    }

    @Override
    public long firstUnwritable(long from, long count) {
        return firstUnmapped(from, count);
    }

    /** Action on a part of a range that lies in one memory. */
    private interface Part {
        void move(MappedMemory memory, long at, int done, int count);
    }

    /** Returns whether the whole range is mapped. */
    private boolean walk(long from, int count, Part part) {
        int done = 0;
        while (done < count) {
            MappedMemory buffers = find(from + done);
            if (buffers == null) {
                return false;
            }
            int piece = (int) Math.min(count - done, buffers.address() + buffers.lengthBytes() - from - done);
            try {
                part.move(buffers, from + done, done, piece);
            } catch (VerbsException unmapped) {
                return false;
            }
            done += piece;
        }
        return true;
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        boolean whole =
                walk(from, count, (memory, at, done, piece) -> memory.load(at, target, targetOffset + done, piece));
        if (!whole) {
            Arrays.fill(target, targetOffset, targetOffset + count, (byte) 0);
        }
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        walk(to, count, (memory, at, done, piece) -> memory.store(at, source, sourceOffset + done, piece));
    }

    @Override
    public boolean read(long from, byte[] target, int targetOffset, int count) {
        return walk(from, count, (memory, at, done, piece) -> {
            memory.load(at, target, targetOffset + done, piece);
            memory.touch(at - memory.address(), piece);
        });
    }

    @Override
    public boolean write(long to, Octets source, int sourceOffset, int count) {
        return walk(to, count, (memory, at, done, piece) -> {
            memory.store(at, source, sourceOffset + done, piece);
            memory.touch(at - memory.address(), piece);
        });
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        MappedMemory buffers = find(at);
        if (buffers != null && buffers.holds(at, atomic.sizeBytes())) {
            try {
                return buffers.update(at, atomic, unit);
            } catch (VerbsException unmapped) {
                return AtomicValue.zeros(atomic.sizeBytes());
            }
        }
        return AtomicValue.zeros(atomic.sizeBytes());
    }
}
