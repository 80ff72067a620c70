// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Command capsules as a host writes them; methods change the capsule. */
public final class Capsule {
    private static final int KEYED = 0x40;
    private static final int KEYED_INVALIDATE = 0x4f;

    private final ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    private Capsule(int opcode, int id) {
        bytes.put(0, (byte) opcode).put(1, (byte) 0x40).putShort(2, (short) id).put(39, (byte) KEYED);
    }

    public static Capsule admin(int opcode, int id) {
        return new Capsule(opcode, id);
    }

    private static Capsule fabrics(int type, int id) {
        return new Capsule(0x7f, id).octet(4, type);
    }

    public static Capsule connect(int id) {
        return fabrics(1, id).word(44, 31);
    }

    public static Capsule get(int id, int offset, boolean wide) {
        return fabrics(4, id).octet(40, wide ? 1 : 0).doubleword(44, offset);
    }

    public static Capsule set(int id, int offset, int value) {
        return fabrics(0, id).doubleword(44, offset).doubleword(48, value);
    }

    public static Capsule identify(int id) {
        return admin(0x06, id).octet(40, 1);
    }

    public static Capsule log(int id, int bytes, long offset) {
        int words = bytes / 4 - 1;
        Capsule capsule = admin(0x02, id).octet(40, 0x70).word(42, words).word(44, words >> 16);
        capsule.bytes.putLong(48, offset);
        return capsule;
    }

    /** Sets where the data are. */
    public Capsule data(long address, int length, int key, boolean invalidate) {
        bytes.putLong(24, address).putInt(32, length);
        bytes.putInt(35, key).put(39, (byte) (invalidate ? KEYED_INVALIDATE : KEYED));
        return this;
    }

    Capsule octet(int at, int value) {
        bytes.put(at, (byte) value);
        return this;
    }

    Capsule word(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    public Capsule doubleword(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    public byte[] bytes() {
        return bytes.array().clone();
    }

    /** Data of a Connect. */
    public static byte[] connectData(int controller, String subsystem) {
        ByteBuffer data = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
        data.putShort(16, (short) controller);
        data.put(256, subsystem.getBytes(StandardCharsets.US_ASCII));
        data.put(512, "nqn.2014-08.org.nvmexpress:uuid:1".getBytes(StandardCharsets.US_ASCII));
        return data.array();
    }
}
