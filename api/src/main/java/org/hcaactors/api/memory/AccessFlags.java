package org.hcaactors.api.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A set of {@link Access} rights, as the bit mask that verbs and adapters use.
 *
 * @param bits the or of {@link Access#bit()}; IllegalArgumentException with bits that no right has
 */
public record AccessFlags(int bits) {
    public static final AccessFlags NONE = new AccessFlags(0);
    public static final AccessFlags ALL = of(Access.values());
    private static final int REMOTE_CHANGES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

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

    private static int mask(Access... rights) {
        int bits = 0;
        for (Access right : rights) {
            bits |= right.bit();
        }
        return bits;
    }

    public boolean allows(Access right) {
        return (bits & right.bit()) != 0;
    }

    /** Remote write and remote atomic require local write (ibv_reg_mr(3); rule memory-rights). */
    public boolean isConsistentForRegistration() {
        return (bits & REMOTE_CHANGES) == 0 || allows(Access.LOCAL_WRITE);
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
