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

@Name("org.hcaactors.AsynchronousEvent")
@Label("Asynchronous Event")
@Category({"RDMA", "Connections"})
@Description("An adapter raised an asynchronous event (ibv_get_async_event)")
@StackTrace(false)
final class AdapterNoticeEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("Kind")
    String kind = "";

    @Label("Reason")
    String reason = "";

    static void of(HcaEvent.Raised raised) {
        AdapterNoticeEvent event = new AdapterNoticeEvent();
        if (event.isEnabled()) {
            event.adapter = raised.port();
            event.element = raised.element().toString();
            event.kind = raised.event().kind().name();
            event.reason = ReasonTexts.of(raised.reason());
            event.commit();
        }
    }
}
