// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

// rules window-limit, indirect-limits, event-object-limits
/** Numbers of keys in use, for the kinds of keys that have a limit of their own. */
public final class KeyLimits {
    private final Map<Integer, ObjectKind> counted = new LinkedHashMap<>();
    private final Map<ObjectKind, Integer> out = new EnumMap<>(ObjectKind.class);

    /** VerbsException (ENOMEM) if {@code max} keys of that kind are in use. */
    public void check(ObjectKind kind, int max) {
        if (out.getOrDefault(kind, 0) >= max) {
            throw new VerbsException(Errno.ENOMEM, "all " + max + " " + kind.plural() + " of the adapter are in use");
        }
    }

    /** Counts a key of that kind, unless the kind has no limit below the total number of keys. */
    public void added(int key, ObjectKind kind, int max) {
        if (max <= FirstNumbers.MAX_INDEX) {
            counted.put(key >>> Byte.SIZE, kind);
            out.merge(kind, 1, Integer::sum);
        }
    }

    /** Takes a key out of the count, whatever its variant is by now. */
    public void released(int key) {
        ObjectKind kind = counted.remove(key >>> Byte.SIZE);
        if (kind != null) {
            out.merge(kind, -1, Integer::sum);
        }
    }
}
