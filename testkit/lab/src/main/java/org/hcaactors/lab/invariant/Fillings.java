// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** Memory that indirect keys show, computed only from the events that fill them (rule indirect-translation). */
public final class Fillings {
    /** Limit for the recursion, more levels than any adapter follows: keys may refer to each other in a cycle. */
    private static final int DEEPEST = 8;

    private record Place(String port, int key) {}

    private final Map<Place, Filling> filled = new LinkedHashMap<>();

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.KeyFilled full ->
                filled.put(new Place(full.port(), full.element().number()), new Filling(full));
            case HcaEvent.KeyChanged other ->
                filled.remove(new Place(other.port(), other.before().number()));
            case HcaEvent.Registered registered ->
                filled.remove(new Place(registered.port(), registered.element().number()));
            default -> {}
        }
    }

    /** Returns the content of a key; empty if the key is not indirect or not filled. */
    public Optional<Filling> of(String port, int key) {
        return Optional.ofNullable(filled.get(new Place(port, key)));
    }

    /** Returns the keys that show memory of that key, directly or through other indirect keys. */
    public Set<Integer> showing(String port, int key) {
        Set<Integer> found = new LinkedHashSet<>();
        showing(port, key, found);
        return found;
    }

    private void showing(String port, int key, Set<Integer> found) {
        filled.forEach((place, filling) -> {
            if (place.port.equals(port) && filling.shows(key) && found.add(place.key)) {
                showing(port, place.key, found);
            }
        });
    }

    /** Translates a range to keys that are not filled indirect keys. */
    public List<Filling.Run> leaves(String port, int key, long address, int count) {
        return leaves(port, new Filling.Run(key, address, count), DEEPEST);
    }

    private List<Filling.Run> leaves(String port, Filling.Run range, int depth) {
        Optional<Filling> filling = of(port, range.key());
        if (filling.isEmpty() || depth == 0) {
            return List.of(range);
        }
        return filling.get().runs(range.address(), range.count()).stream()
                .flatMap(run -> leaves(port, run, depth - 1).stream())
                .toList();
    }
}
