// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A set of {@link Access} rights, as the 64-bit mask that verbs and adapters use. Immutable.
 *
 * @param bits the bitwise or of {@link Access#bit()}; IllegalArgumentException for bits of no right
 */
public record AccessFlags(long bits) {
    /** No right but local read, which is always allowed. */
    public static final AccessFlags NONE = new AccessFlags(0);

    /** Local write, remote write, remote read and remote atomic. Rights that are added later are not included. */
    public static final AccessFlags LOCAL_AND_REMOTE =
            of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private static final long REMOTE_CHANGES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    public AccessFlags {
        if ((bits & ~mask(Access.values())) != 0) {
            throw new IllegalArgumentException("access flags 0x%x have unknown bits; the flags are %s"
                    .formatted(
                            bits,
                            Arrays.stream(Access.values())
                                    .map(right -> "%s 0x%x".formatted(right, right.bit()))
                                    .collect(Collectors.joining(", "))));
        }
    }

    public static AccessFlags of(Access... rights) {
        return new AccessFlags(mask(rights));
    }

    private static long mask(Access... rights) {
        long bits = 0;
        for (Access right : rights) {
            bits |= right.bit();
        }
        return bits;
    }

    public boolean allows(Access right) {
        return (bits & right.bit()) != 0;
    }

    /** True if all these rights are among the others. */
    public boolean isWithin(AccessFlags others) {
        return (bits & ~others.bits) == 0;
    }

    /**
     * True unless remote write or remote atomic is set without local write, which they require (ibv_reg_mr(3); rule
     * memory-rights).
     */
    public boolean isConsistentForRegistration() {
        return !allowsRemoteWrite() || allows(Access.LOCAL_WRITE);
    }

    /** True if remote write or remote atomic is set. */
    public boolean allowsRemoteWrite() {
        return (bits & REMOTE_CHANGES) != 0;
    }

    @Override
    public String toString() {
        List<Access> set = new ArrayList<>();
        for (Access right : Access.values()) {
            if (allows(right)) {
                set.add(right);
            }
        }
        return set.toString();
    }
}
