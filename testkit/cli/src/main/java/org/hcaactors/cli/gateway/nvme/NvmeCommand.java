// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/**
 * Command capsule without data in it. Immutable.
 *
 * <p>Limits: {@value #BYTES} bytes.
 */
public final class NvmeCommand {
    /** Bytes of a capsule. */
    public static final int BYTES = 64;

    static final int FABRICS = 0x7f;

    private static final int FLAGS_AT = 1;
    private static final int ID_AT = 2;
    private static final int FABRICS_TYPE_AT = 4;
    private static final int SGL_AT = 24;
    private static final int SGL_BYTES = 16;

    /** Flags of a command whose data pointer is an SGL. */
    private static final int SGL_USED = 1 << 6;

    private static final int POINTER = 3 << 6;

    private final ByteBuffer capsule;

    NvmeCommand(byte[] capsule) {
        this.capsule = ByteBuffer.wrap(capsule.clone()).order(ByteOrder.LITTLE_ENDIAN);
    }

    int opcode() {
        return octet(0);
    }

    /** Returns the type of a command of the fabrics. */
    int fabricsType() {
        return octet(FABRICS_TYPE_AT);
    }

    int id() {
        return word(ID_AT);
    }

    int octet(int at) {
        return capsule.get(at) & 0xff;
    }

    int word(int at) {
        return capsule.getShort(at) & 0xffff;
    }

    int doubleword(int at) {
        return capsule.getInt(at);
    }

    long quadword(int at) {
        return capsule.getLong(at);
    }

    /**
     * Returns where the data are.
     *
     * @param bytes that the data must have
     * @throws NvmeRefusal if the descriptor is of another kind or length
     */
    KeyedSgl data(int bytes) throws NvmeRefusal {
        if ((octet(FLAGS_AT) & POINTER) != SGL_USED) {
            throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
        KeyedSgl sgl = sgl();
        if (sgl.lengthBytes() != bytes) {
            throw new NvmeRefusal(NvmeStatus.DATA_SGL_LENGTH_INVALID);
        }
        return sgl;
    }

    private KeyedSgl sgl() throws NvmeRefusal {
        return KeyedSgl.read(capsule.slice(SGL_AT, SGL_BYTES).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Returns the key that the completion invalidates, whatever it is. */
    OptionalInt invalidate() {
        try {
            return sgl().invalidate();
        } catch (NvmeRefusal noKey) {
            return OptionalInt.empty();
        }
    }
}
