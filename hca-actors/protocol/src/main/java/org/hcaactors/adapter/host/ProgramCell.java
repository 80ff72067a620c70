// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.Arrays;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.api.memory.ProgramMemory;
import org.hcaactors.api.work.AtomicValue;

/**
 * A value in a program's memory.
 *
 * @param address a multiple of the size, or of 8 if the size is larger
 */
record ProgramCell(ProgramMemory program, long address, int sizeBytes) implements AtomicCell {
    private static final int LINE_BYTES = 64;

    @Override
    public long firstLine() {
        return address / LINE_BYTES;
    }

    @Override
    public long lastLine() {
        return (address + sizeBytes - 1) / LINE_BYTES;
    }

    private boolean isHalf() {
        return sizeBytes == Integer.BYTES;
    }

    @Override
    public AtomicValue load() {
        if (isHalf()) {
            return AtomicValue.ofInt(program.getInt(address));
        }
        long[] words = new long[sizeBytes / Long.BYTES];
        Arrays.setAll(words, i -> program.getLong(address + (long) i * Long.BYTES));
        return AtomicValue.ofWords(words);
    }

    @Override
    public void store(AtomicValue value) {
        if (isHalf()) {
            program.setInt(address, value.toInt());
            return;
        }
        for (int i = 0; i < value.words(); i++) {
            program.setLong(address + (long) i * Long.BYTES, value.word(i));
        }
    }

    @Override
    public boolean replace(AtomicValue expected, AtomicValue next) {
        return isHalf()
                ? program.compareAndSetInt(address, expected.toInt(), next.toInt())
                : program.compareAndSetLong(address, expected.toLong(), next.toLong());
    }
}
