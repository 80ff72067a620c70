// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;

/** Access rights from {@code enum ibv_access_flags}. */
final class Rights {
    /** Flags of a registration or binding that are no rights. */
    static final long TRAITS = Calls.Access.ZERO_BASED | Calls.Access.ON_DEMAND | Calls.Access.HUGETLB;

    private static final long RIGHTS = Calls.Access.LOCAL_WRITE
            | Calls.Access.REMOTE_WRITE
            | Calls.Access.REMOTE_READ
            | Calls.Access.REMOTE_ATOMIC
            | Calls.Access.MW_BIND;

    /** {@code IBV_ACCESS_OPTIONAL_RANGE}: flags that an adapter may ignore. */
    private static final long OPTIONAL = 0x3FF0_0000L;

    private Rights() {}

    /** Returns the rights among some flags; EINVAL for a flag that is unknown and not optional. */
    static AccessFlags read(long flags) {
        if ((flags & ~(RIGHTS | TRAITS | OPTIONAL)) != 0) {
            throw VerbsException.invalid(
                    "the access flags are 0x%x; 0x%x and optional ones are allowed".formatted(flags, RIGHTS | TRAITS));
        }
        return new AccessFlags(flags & RIGHTS);
    }

    static boolean has(long flags, int flag) {
        return (flags & flag) != 0;
    }
}
