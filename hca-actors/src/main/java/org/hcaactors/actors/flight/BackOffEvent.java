// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.hcaactors.adapter.flow.HcaEvent;

@Name("org.hcaactors.BackOff")
@Label("RNR Back-Off")
@Category({"RDMA", "Recovery"})
@Description("A requester waits because its peer was not ready (RNR NAK)")
@StackTrace(false)
final class BackOffEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("PSN")
    @Description("First PSN that is sent again")
    int psn;

    @Label("Wait")
    @Description("Minimum wait")
    @Timespan(Timespan.NANOSECONDS)
    long wait;

    static void of(HcaEvent.BackedOff off) {
        BackOffEvent event = new BackOffEvent();
        if (event.isEnabled()) {
            event.adapter = off.port();
            event.element = off.element().toString();
            event.psn = off.psn();
            event.wait = off.forNanos();
            event.commit();
        }
    }
}
