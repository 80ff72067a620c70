// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

/**
 * Maximum payload of one packet, without headers; {@link #code()} is the value of {@code ibv_mtu}.
 *
 * <p>These are all that there are.
 */
public enum PathMtu {
    BYTES_256(1, 256),
    BYTES_512(2, 512),
    BYTES_1024(3, 1024),
    BYTES_2048(4, 2048),
    BYTES_4096(5, 4096);

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    public int code() {
        return code;
    }

    public int bytes() {
        return bytes;
    }
}
