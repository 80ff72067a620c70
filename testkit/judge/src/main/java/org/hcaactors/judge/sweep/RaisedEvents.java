// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.lab.world.World;

/**
 * Events that adapters raised in a run, collected as they happen: few of very many events. Empty in a world without invariants.
 */
final class RaisedEvents {
    private final List<HcaEvent.Raised> raised = new ArrayList<>();

    static RaisedEvents of(World world) {
        RaisedEvents events = new RaisedEvents();
        world.trace().listen(event -> {
            if (event instanceof HcaEvent.Raised one) {
                events.raised.add(one);
            }
        });
        return events;
    }

    Stream<HcaEvent.Raised> of(String port, AsyncEvent event) {
        return raised.stream()
                .filter(one -> one.port().equals(port) && one.event().equals(event));
    }

    /** Returns the first event that reports a crashed part. */
    Optional<HcaEvent.Raised> crash() {
        return raised.stream()
                .filter(one -> one.reason() == DependencyFailure.ITS_ACTOR)
                .findFirst();
    }
}
