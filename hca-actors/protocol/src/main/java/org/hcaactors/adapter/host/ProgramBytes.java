// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;

/**
 * All memory of a program. Any thread.
 *
 * @param all the program's memory from address 0
 */
record ProgramBytes(ProgramSpace space, ProgramStorage all) implements ProcessBytes {
    @Override
    public long firstUnmapped(long from, long count) {
        return space.firstUnmapped(from, count).orElse(-1);
    }

    @Override
    public long firstUnwritable(long from, long count) {
        return space.firstUnwritable(from, count).orElse(-1);
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        all.load(from, target, targetOffset, count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        all.store(to, source, sourceOffset, count);
    }

    @Override
    public boolean read(long from, byte[] target, int targetOffset, int count) {
        boolean whole = space.isMapped(from, count);
        if (whole) {
            all.load(from, target, targetOffset, count);
        }
        return whole;
    }

    @Override
    public boolean write(long to, Octets source, int sourceOffset, int count) {
        boolean whole = space.isMapped(to, count);
        if (whole) {
            all.store(to, source, sourceOffset, count);
        }
        return whole;
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return unit.update(all.cell(at, atomic.sizeBytes()), atomic);
    }
}
