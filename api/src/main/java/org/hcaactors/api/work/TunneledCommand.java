// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.nio.ByteBuffer;
import org.hcaactors.api.memory.Registration;

// rules atomic-tunneled-payload, atomic-tunneled-command
/**
 * Command for the memory controller of a peer's host. The payload of an RDMA WRITE to a region for {@linkplain
 * Registration#withTunneledAtomics tunneled atomics} is a sequence of such commands, each as {@link #toBytes} returns it. The
 * format is this project's own; that of hardware is not published.
 *
 * <p>Immutable.
 *
 * @param offset offset of the value from the address of the WRITE, 0 to 2^32 - 1. The WRITE is refused unless the sum is a
 *     multiple of the value's size and the value is inside the region
 * @param operand operand of the value's size, 4 or 8 bytes
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
            throw new IllegalArgumentException("the offset of a command is " + offset + "; 0 to 4294967295 is allowed");
        }
        if (operand.sizeBytes() > Long.BYTES) {
            throw new IllegalArgumentException(
                    "the value of a command has " + operand.sizeBytes() + " bytes; 4 and 8 are allowed");
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

    /** Returns the command as 16 bytes of a WRITE, in the format of {@link Registration#withTunneledAtomics}. */
    public byte[] toBytes() {
        int logBytes = Integer.numberOfTrailingZeros(operand.sizeBytes());
        return ByteBuffer.allocate(BYTES)
                .putInt(function.ordinal() << 24 | logBytes << 16)
                .putInt((int) offset)
                .putLong(operand.toLong())
                .array();
    }
}
