// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A set of {@link Access} rights, as the bit mask of 64 bits that verbs and adapters use. Immutable.
 *
 * @param bits the or of {@link Access#bit()}; IllegalArgumentException with bits that no right has
 */
public record AccessFlags(long bits) {
    /** No right but local read, which nothing takes away. */
    public static final AccessFlags NONE = new AccessFlags(0);

    /** These four, whatever rights are added later: writing here, and writing, reading and atomics from afar. */
    public static final AccessFlags LOCAL_AND_REMOTE =
            of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private static final long REMOTE_CHANGES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    public AccessFlags {
        if ((bits & ~mask(Access.values())) != 0) {
            throw new IllegalArgumentException("access flags 0x%x; there are %s"
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

    /** Each of them is among those. */
    public boolean isWithin(AccessFlags others) {
        return (bits & ~others.bits) == 0;
    }

    /** Remote write and remote atomic require local write (ibv_reg_mr(3); rule memory-rights). */
    public boolean isConsistentForRegistration() {
        return !allowsRemoteWrite() || allows(Access.LOCAL_WRITE);
    }

    /** Remote write or remote atomic is among them. */
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
