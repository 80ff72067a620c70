// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.nio.ByteBuffer;
import org.hcaactors.api.memory.Registration;

// rules atomic-tunneled-payload, atomic-tunneled-command
/**
 * A command for the memory controller of a peer's host: an RDMA WRITE brings it to a region that {@linkplain
 * Registration#withTunneledAtomics tunnels atomics}, as the bytes that {@link #toBytes} gives, several in a row. The form is our own:
 * the adapter's and the processor's is not published.
 *
 * <p>Immutable.
 *
 * @param offset of the value, from the address of the WRITE: 0 to 2^32 - 1. The sum is a multiple of the value's size, and the
 *     value lies in the region, or the WRITE is refused
 * @param operand of as many bytes as the value, 4 or 8
 */
public record TunneledCommand(Function function, long offset, AtomicValue operand) {
    /** Size of a command in bytes. */
    public static final int BYTES = 16;

    private static final long MAX_OFFSET = 0xFFFF_FFFFL;

    /**
     * Operation on the value: the functions of the store atomics of Power ISA 3.0, in the order of their codes, from 0. These
     * are all that there are.
     */
    public enum Function {
        ADD,
        XOR,
        OR,
        AND,
        MAX_UNSIGNED,
        MAX_SIGNED,
        MIN_UNSIGNED,
        MIN_SIGNED
    }

    /** IllegalArgumentException for an invalid offset or size. */
    public TunneledCommand {
        if (offset < 0 || offset > MAX_OFFSET) {
            throw new IllegalArgumentException("a command at offset " + offset + "; 0 to 4294967295 is allowed");
        }
        if (operand.sizeBytes() > Long.BYTES) {
            throw new IllegalArgumentException(
                    "a command for a value of " + operand.sizeBytes() + " bytes; 4 and 8 are allowed");
        }
    }

    /** A command on a value of 4 bytes. */
    public static TunneledCommand ofInt(Function function, long offset, int operand) {
        return new TunneledCommand(function, offset, AtomicValue.ofInt(operand));
    }

    /** A command on a value of 8 bytes. */
    public static TunneledCommand ofLong(Function function, long offset, long operand) {
        return new TunneledCommand(function, offset, AtomicValue.ofLong(operand));
    }

    /** As a WRITE brings it: the 16 bytes of {@linkplain Registration#withTunneledAtomics that table}. */
    public byte[] toBytes() {
        int logBytes = Integer.numberOfTrailingZeros(operand.sizeBytes());
        return ByteBuffer.allocate(BYTES)
                .putInt(function.ordinal() << 24 | logBytes << 16)
                .putInt((int) offset)
                .putLong(operand.toLong())
                .array();
    }
}
