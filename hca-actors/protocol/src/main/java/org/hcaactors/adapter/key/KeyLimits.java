// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

// rules window-limit, indirect-limits
/** How many of an adapter's keys are of the kinds of which it has fewer than it has keys, as a machine. */
public final class KeyLimits {
    private final Map<Integer, ObjectKind> counted = new LinkedHashMap<>();
    private final Map<ObjectKind, Integer> out = new EnumMap<>(ObjectKind.class);

    /** VerbsException (ENOMEM) while there are {@code max} of that kind. */
    public void check(ObjectKind kind, int max) {
        if (out.getOrDefault(kind, 0) >= max) {
            throw new VerbsException(
                    Errno.ENOMEM, "all " + max + " " + kind.plural() + " that the adapter has are in use");
        }
    }

    /** There is one more of that kind; what every key could be is not counted. */
    public void taken(int key, ObjectKind kind, int max) {
        if (max <= FirstNumbers.MAX_INDEX) {
            counted.put(key >>> Byte.SIZE, kind);
            out.merge(kind, 1, Integer::sum);
        }
    }

    /** It is gone, whatever its variant is by now. */
    public void released(int key) {
        ObjectKind kind = counted.remove(key >>> Byte.SIZE);
        if (kind != null) {
            out.merge(kind, -1, Integer::sum);
        }
    }
}
