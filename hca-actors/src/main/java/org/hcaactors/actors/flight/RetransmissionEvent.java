// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;

@Name("org.hcaactors.Retransmission")
@Label("Retransmission")
@Category({"RDMA", "Recovery"})
@Description("A requester retransmits from a PSN on")
@StackTrace(false)
final class RetransmissionEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("PSN")
    @Description("First PSN that is sent again")
    int psn;

    @Label("Reason")
    String reason = "";

    static void of(HcaEvent.Retransmitting back) {
        RetransmissionEvent event = new RetransmissionEvent();
        if (event.isEnabled()) {
            event.adapter = back.port();
            event.element = back.element().toString();
            event.psn = back.psn();
            event.reason = ReasonTexts.of(back.reason());
            event.commit();
        }
    }
}
