// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.TunneledCommand.Function;

// rule atomic-tunneled-command
/**
 * Atomic that the host's memory controller executes instead of storing a WRITE's data.
 *
 * @param operand operand of the same size as the value
 */
public record StoreAtomic(Function function, AtomicValue operand) implements Atomic {
    @Override
    public int sizeBytes() {
        return operand.sizeBytes();
    }

    @Override
    public AtomicValue after(AtomicValue before) {
        return switch (function) {
            case ADD -> before.plus(operand);
            case XOR -> before.xor(operand);
            case OR -> before.or(operand);
            case AND -> before.and(operand);
            case MAX_UNSIGNED -> unsigned(before) >= 0 ? before : operand;
            case MAX_SIGNED -> signed(before) >= 0 ? before : operand;
            case MIN_UNSIGNED -> unsigned(before) <= 0 ? before : operand;
            case MIN_SIGNED -> signed(before) <= 0 ? before : operand;
        };
    }

    private int unsigned(AtomicValue before) {
        return Long.compareUnsigned(before.toLong(), operand.toLong());
    }

    private int signed(AtomicValue before) {
        return sizeBytes() == Integer.BYTES
                ? Integer.compare(before.toInt(), operand.toInt())
                : Long.compare(before.toLong(), operand.toLong());
    }
}
