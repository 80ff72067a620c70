// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.flow.Element;

/** A track for each adapter, and below it one for each of its parts that anything happens to: made when it is first asked for. */
final class AdapterTracks {
    /** Numbers that one kind of element has room for in the order of tracks. */
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

    /** @param part as elements are spelt; another one, a program for example, stands behind those */
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

    /** By kind, then by number; of keys, whose lower byte changes, the index alone. */
    private static int rank(String part) {
        for (Element.Kind whole : new Element.Kind[] {Element.Kind.PORT, Element.Kind.DEVICE}) {
            if (part.equals(new Element(whole, 0).toString())) {
                return whole.ordinal() * RANKS;
            }
        }
        Optional<Element> element = Element.parse(part);
        return element.map(known -> known.kind().ordinal() * RANKS
                        + ((known.kind() == Element.Kind.KEY ? known.number() >>> 8 : known.number()) & RANKS - 1))
                .orElse(Element.Kind.values().length * RANKS);
    }
}
