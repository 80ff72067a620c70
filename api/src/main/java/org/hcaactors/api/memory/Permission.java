// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Permissions to share the memory of a region, as in a file mode; values are those of {@code IBV_EXP_ACCESS_SHARED_MR_*}. These
 * are all that there are.
 */
public enum Permission {
    USER_READ(38),
    USER_WRITE(39),
    GROUP_READ(40),
    GROUP_WRITE(41),
    OTHER_READ(42),
    OTHER_WRITE(43);

    private final long bit;

    Permission(int shift) {
        bit = 1L << shift;
    }

    public long bit() {
        return bit;
    }
}
