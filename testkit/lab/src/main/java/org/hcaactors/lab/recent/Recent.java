// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.recent;

import java.util.LinkedHashMap;
import java.util.Map;

/** Bounded maps that keep the newest entries. */
public final class Recent {
    private Recent() {}

    /** Returns a map that drops its oldest entry beyond that size; putting a key again does not make its entry newer. */
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
