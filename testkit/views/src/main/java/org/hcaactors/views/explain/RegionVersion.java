// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.fabric.flow.Element;

/** Attributes of a region between two registrations. */
record RegionVersion(int domain, long address, long lengthBytes, AccessFlags rights) {
    /** Returns the attributes; empty unless the event is a registration of that key. */
    static Optional<RegionVersion> of(HcaEvent event, Element key) {
        return switch (event) {
            case HcaEvent.Registered e
            when e.element().equals(key) ->
                Optional.of(new RegionVersion(e.domain(), e.address(), e.lengthBytes(), e.rights()));
            case HcaEvent.Reregistered e
            when e.element().equals(key) ->
                Optional.of(new RegionVersion(e.domain(), e.address(), e.lengthBytes(), e.rights()));
            default -> Optional.empty();
        };
    }

    boolean covers(Denial.OutOfRange requested) {
        long offset = requested.from() - address;
        return offset >= 0 && offset <= lengthBytes && requested.count() <= lengthBytes - offset;
    }
}
