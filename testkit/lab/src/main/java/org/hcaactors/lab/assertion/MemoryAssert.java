// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.assertion;

import java.util.Arrays;
import org.assertj.core.api.AbstractAssert;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.lab.program.MemoryObserver;

/** Assertions on host memory. */
public final class MemoryAssert extends AbstractAssert<MemoryAssert, HostMemory> {
    MemoryAssert(HostMemory memory) {
        super(memory, MemoryAssert.class);
    }

    /** Verifies that both memories hold the same bytes. */
    public MemoryAssert hasSameBytesAs(HostMemory other) {
        return holds(0, MemoryObserver.read(other, 0, Math.toIntExact(other.lengthBytes())));
    }

    /** Verifies that the memory holds these bytes at that offset. */
    public MemoryAssert holds(long offset, byte[] expected) {
        isNotNull();
        int at = Arrays.mismatch(MemoryObserver.read(actual, offset, expected.length), expected);
        if (at >= 0) {
            failWithMessage(
                    "expected %s bytes at offset %s, but byte %s is 0x%02x and not 0x%02x",
                    expected.length, offset, offset + at, MemoryObserver.read(actual, offset + at, 1)[0], expected[at]);
        }
        return this;
    }

    /** Verifies that the bytes occur exactly once in the memory. */
    public MemoryAssert containsOnce(byte[] bytes) {
        isNotNull();
        byte[] all = MemoryObserver.read(actual, 0, Math.toIntExact(actual.lengthBytes()));
        int found = 0;
        for (int at = 0; at + bytes.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + bytes.length, bytes, 0, bytes.length)) {
                found++;
            }
        }
        if (found != 1) {
            failWithMessage("expected %s bytes to be in memory once, but found them %s times", bytes.length, found);
        }
        return this;
    }
}
