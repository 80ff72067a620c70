// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.flow.Element;

/**
 * A Perfetto track for each adapter, with a child track for each part that has events. Tracks are created at their first use.
 */
final class AdapterTracks {
    /** Range of ranks for the numbers of one kind of element. */
    private static final int RANKS = 1 << 26;

    private record Place(String port, String part) {}

    private final PerfettoFile file;
    private final Map<String, Long> adapters = new HashMap<>();
    private final Map<Place, Long> parts = new HashMap<>();

    AdapterTracks(PerfettoFile file) {
        this.file = file;
    }

    long of(String port, Element part) throws IOException {
        return of(port, part.toString());
    }

    /**
     * Returns the track of a part.
     *
     * @param part name of an element; other parts, such as a program, are ordered behind the elements
     */
    long of(String port, String part) throws IOException {
        Place place = new Place(port, part);
        Long known = parts.get(place);
        if (known == null) {
            known = file.child(adapter(port), part, rank(part));
            parts.put(place, known);
        }
        return known;
    }

    private long adapter(String port) throws IOException {
        Long known = adapters.get(port);
        if (known == null) {
            known = file.root(port);
            adapters.put(port, known);
        }
        return known;
    }

    /** Orders by kind, then by number; keys by index only, as their lower byte changes. */
    private static int rank(String part) {
        Optional<Element> element = Element.parse(part);
        return element.map(known -> known.kind().ordinal() * RANKS
                        + ((known.kind() == Element.Kind.KEY ? known.number() >>> 8 : known.number()) & RANKS - 1))
                .orElse(Element.Kind.values().length * RANKS);
    }
}
