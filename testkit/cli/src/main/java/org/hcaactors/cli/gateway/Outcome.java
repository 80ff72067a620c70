// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Result of the service for a client.
 *
 * <p>Immutable.
 *
 * @param words in a few words
 * @param figures by their names in JSON, in their order
 */
public record Outcome(String words, Map<String, Number> figures) {
    public Outcome {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    static Outcome of(String words) {
        return new Outcome(words, Map.of());
    }

    Outcome with(String name, Number figure) {
        Map<String, Number> more = new LinkedHashMap<>(figures);
        more.put(name, figure);
        return new Outcome(words, more);
    }
}
