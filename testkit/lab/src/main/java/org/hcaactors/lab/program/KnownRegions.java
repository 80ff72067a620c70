// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.recent.Recent;

/** Translates slices to addresses of a process; not for windows, indirect keys and keys over bus addresses. */
final class KnownRegions {
    private record Key(String adapter, int key) {}

    /** @param shift difference between the process address of a byte and its address under the key */
    private record Region(String process, long shift) {}

    private final Map<Key, Region> regions = Recent.map(ProgramChecks.MAX_KNOWN);

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.Registered made -> {
                Key key = new Key(made.port(), made.element().number());
                switch (made.kind()) {
                    case MEMORY_REGION, PAGED_REGION, HOST_PAGED_REGION ->
                        regions.put(key, new Region(made.process(), made.shift()));
                    case NULL_REGION, PHYSICAL_REGION, MEMORY_WINDOW, INDIRECT_KEY -> regions.remove(key);
                }
            }
            case HcaEvent.Reregistered reregistered ->
                regions.computeIfPresent(
                        new Key(reregistered.port(), reregistered.element().number()),
                        (key, was) -> new Region(was.process, reregistered.shift()));
            default -> {}
        }
    }

    Optional<OwnedRange> place(String adapter, LocalSlice slice, LentBuffers by) {
        Region region = regions.get(new Key(adapter, slice.lkey()));
        if (region == null || slice.lengthBytes() == 0) {
            return Optional.empty();
        }
        long first = slice.address() + region.shift;
        return Optional.of(
                new OwnedRange(new OwnedRange.Host(adapter, region.process), by, first, first + slice.lengthBytes()));
    }
}
