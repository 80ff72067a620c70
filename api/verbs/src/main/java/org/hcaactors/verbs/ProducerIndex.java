// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;

// rule completion-producer-index
/** The word of the C side that tells it without a call whether a completion queue has changed. Written on the adapter's thread. */
final class ProducerIndex implements LongConsumer {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment word;

    /** @param address of 8 bytes, at a multiple of 8 */
    ProducerIndex(long address) {
        word = MemorySegment.ofAddress(address).reinterpret(Long.BYTES);
    }

    @Override
    public void accept(long index) {
        WORD.setRelease(word, 0L, index);
    }
}
