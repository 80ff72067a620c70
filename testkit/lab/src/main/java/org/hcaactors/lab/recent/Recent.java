// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.recent;

import java.util.LinkedHashMap;
import java.util.Map;

/** Memory of what came last. */
public final class Recent {
    private Recent() {}

    /** A map that forgets its oldest entry beyond so many; what is put again is as old as it was. */
    public static <K, V> Map<K, V> map(int max) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > max;
            }
        };
    }
}
