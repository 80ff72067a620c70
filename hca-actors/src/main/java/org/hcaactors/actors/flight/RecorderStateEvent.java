// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

@Name("org.hcaactors.RecorderState")
@Label("State of the Recorder")
@Category({"RDMA", "Recorder"})
@Description("What is held of requests and page faults until they end, and what found no room")
@StackTrace(false)
@Period("10 s")
final class RecorderStateEvent extends Event {
    @Label("Requests Held")
    int requests;

    @Label("Requests Not Timed")
    @Description("Too many were held when they began")
    long requestsNotTimed;

    @Label("Page Faults Held")
    int pageFaults;

    @Label("Page Faults Not Timed")
    @Description("Too many were held when they began")
    long pageFaultsNotTimed;

    static void of(OpenEvents<RequestEvent> requests, OpenEvents<PageFaultEvent> faults) {
        RecorderStateEvent event = new RecorderStateEvent();
        event.requests = requests.size();
        event.requestsNotTimed = requests.turnedAway();
        event.pageFaults = faults.size();
        event.pageFaultsNotTimed = faults.turnedAway();
        event.commit();
    }
}
