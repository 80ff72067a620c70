// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.function.Function;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** Behavior of an XRC shared receive queue: requests find it by its number. */
record XrcSrqBehavior(XrcSrqAttributes attributes, SrqKind.Parts parts) implements SrqBehavior {
    @Override
    public void created() {
        int completions = attributes.queue().number();
        record(at -> new HcaEvent.XrcSrqCreated(
                at, adapter(), element(), attributes.lookup().number(), parts.domain(), completions));
        attributes.lookup().add(parts.handle());
    }

    @Override
    public void destroyed() {
        attributes.lookup().remove(parts.handle());
        record(at -> new HcaEvent.XrcSrqDestroyed(at, adapter(), element()));
    }

    // rule xrc-queue-gone
    /** Queue pairs of XRC targets do not hold the queue. */
    @Override
    public boolean waitsForUsers() {
        return true;
    }

    @Override
    public void refuseUsers() {
        attributes.lookup().remove(parts.handle());
    }

    private String adapter() {
        return parts.services().adapter();
    }

    private Element element() {
        return Element.sharedReceives(parts.number());
    }

    private void record(Function<Stamp, HcaEvent> event) {
        AdapterTrace trace = parts.services().trace();
        if (trace.enabled()) {
            trace.record(0, event);
        }
    }
}
