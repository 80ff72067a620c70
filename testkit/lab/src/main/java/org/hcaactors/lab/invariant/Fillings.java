// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * What indirect keys show, from what was told of their fillings alone: byte for byte, plain and slow, as it is explained to
 * people (rule indirect-translation).
 */
final class Fillings {
    /** Deeper than any adapter follows; a circle ends here. */
    private static final int DEEPEST = 8;

    private record Place(String port, int key) {}

    /** Bytes that lie one behind the other under one key. */
    record Run(int key, long address, int count) {
        private boolean goesOnAt(Run next) {
            return key == next.key && address + count == next.address;
        }
    }

    private final Map<Place, HcaEvent.KeyFilled> filled = new LinkedHashMap<>();

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.KeyFilled full ->
                filled.put(new Place(full.port(), full.who().number()), full);
            case HcaEvent.KeyChanged other ->
                filled.remove(new Place(other.port(), other.before().number()));
            case HcaEvent.Registered fresh ->
                filled.remove(new Place(fresh.port(), fresh.who().number()));
            default -> {}
        }
    }

    /** Empty where it shows nothing, or is no such key. */
    Optional<HcaEvent.KeyFilled> of(String port, int key) {
        return Optional.ofNullable(filled.get(new Place(port, key)));
    }

    /** The keys that show memory through that one, in one step or in several. */
    Set<Integer> showing(String port, int key) {
        Set<Integer> found = new LinkedHashSet<>();
        showing(port, key, found);
        return found;
    }

    private void showing(String port, int key, Set<Integer> found) {
        filled.forEach((place, full) -> {
            boolean shows = place.port.equals(port)
                    && full.layout().lengthBytes() > 0
                    && full.layout().slices().stream()
                            .anyMatch(slice -> slice.lkey() == key && slice.lengthBytes() > 0);
            if (shows && found.add(place.key)) {
                showing(port, place.key, found);
            }
        });
    }

    /** Where a range lies, one key further. The range is one that is shown. */
    static List<Run> runs(KeyLayout layout, long from, int count) {
        List<Run> runs = new ArrayList<>();
        for (long offset = from; offset < from + count; offset++) {
            Run next = place(layout, offset);
            Run last = runs.isEmpty() ? null : runs.getLast();
            if (last != null && last.goesOnAt(next)) {
                runs.set(runs.size() - 1, new Run(last.key, last.address, last.count + 1));
            } else {
                runs.add(next);
            }
        }
        return runs;
    }

    private static Run place(KeyLayout layout, long offset) {
        long cycle = layout.lengthBytes() / layout.repeatCount();
        long time = offset / cycle;
        long left = offset % cycle;
        for (StridedSlice slice : layout.slices()) {
            if (left < slice.lengthBytes()) {
                long step = (long) slice.lengthBytes() + slice.skipBytes();
                return new Run(slice.lkey(), slice.address() + time * step + left, 1);
            }
            left -= slice.lengthBytes();
        }
        throw new IllegalArgumentException("byte " + offset + " of " + layout.lengthBytes());
    }

    /** Where a range lies under keys that have memory of their own, or show nothing. */
    List<Run> leaves(String port, int key, long address, int count) {
        return leaves(port, new Run(key, address, count), DEEPEST);
    }

    private List<Run> leaves(String port, Run range, int depth) {
        Optional<HcaEvent.KeyFilled> full = of(port, range.key);
        if (full.isEmpty() || depth == 0) {
            return List.of(range);
        }
        return runs(full.get().layout(), range.address, range.count).stream()
                .flatMap(run -> leaves(port, run, depth - 1).stream())
                .toList();
    }
}
