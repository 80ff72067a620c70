// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import java.util.Arrays;
import java.util.Optional;

/** Attributes of MADs of class CM: the kinds of messages (rule cm-messages). */
public enum CmAttribute {
    REQ(0x10, 92),
    MRA(0x11, 222),
    REJ(0x12, 148),
    REP(0x13, 196),
    RTU(0x14, 224),
    DREQ(0x15, 220),
    DREP(0x16, 224),
    SIDR_REQ(0x17, 216),
    SIDR_REP(0x18, 136),
    LAP(0x19, 168),
    APR(0x1A, 148);

    private final int id;
    private final int privateBytes;

    CmAttribute(int id, int privateBytes) {
        this.id = id;
        this.privateBytes = privateBytes;
    }

    /** Returns the attribute ID, 16 bits. */
    public int id() {
        return id;
    }

    /** Returns the bytes of private data that the message carries. */
    public int privateBytes() {
        return privateBytes;
    }

    static Optional<CmAttribute> of(int id) {
        return Arrays.stream(values()).filter(each -> each.id == id).findFirst();
    }
}
