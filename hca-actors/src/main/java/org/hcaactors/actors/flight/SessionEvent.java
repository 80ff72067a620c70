// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.hcaactors.adapter.flow.HcaEvent;

@Name("org.hcaactors.Session")
@Label("DC Session")
@Category({"RDMA", "Connections"})
@Description("A step of a DC session")
@StackTrace(false)
final class SessionEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("Step")
    String step = "";

    @Label("Peer Address")
    String peerAddress = "";

    @Label("Peer")
    @Description("Queue pair number of the peer")
    int peer;

    @Label("Session")
    @Description("0 while it is unknown")
    int session;

    static void of(HcaEvent.SessionChanged change) {
        SessionEvent event = new SessionEvent();
        if (event.isEnabled()) {
            event.adapter = change.port();
            event.element = change.element().toString();
            event.step = change.step().name();
            event.peerAddress = change.at().toString();
            event.peer = change.peer();
            event.session = change.session();
            event.commit();
        }
    }
}
