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

@Name("org.hcaactors.QueuePairState")
@Label("Queue Pair State")
@Category({"RDMA", "Connections"})
@Description("A queue pair entered another state")
@StackTrace(false)
final class QueuePairStateEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";

    @Label("Reason")
    String reason = "";

    static void of(HcaEvent.StateChanged change) {
        QueuePairStateEvent event = new QueuePairStateEvent();
        if (event.isEnabled()) {
            event.adapter = change.port();
            event.element = change.element().toString();
            event.from = change.from().name();
            event.to = change.to().name();
            event.reason = ReasonTexts.of(change.reason());
            event.commit();
        }
    }
}
