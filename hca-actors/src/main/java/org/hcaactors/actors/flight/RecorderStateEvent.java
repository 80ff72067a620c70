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
@Description("Tracked requests and page faults, and those that were not tracked")
@StackTrace(false)
@Period("10 s")
final class RecorderStateEvent extends Event {
    @Label("Requests Held")
    int requests;

    @Label("Requests Not Timed")
    @Description("Not tracked, as too many were open")
    long requestsNotTimed;

    @Label("Page Faults Held")
    int pageFaults;

    @Label("Page Faults Not Timed")
    @Description("Not tracked, as too many were open")
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
