// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.fabric.flow.Stamp;

@Name("org.hcaactors.Request")
@Label("Request")
@Category({"RDMA", "Work"})
@Description("A signaled request from its posting to its completion")
@StackTrace(false)
@Threshold("10 ms")
final class RequestEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("Opcode")
    String opcode = "";

    @Label("Work Request")
    long workId;

    @Label("Length")
    @DataAmount
    long bytes;

    @Label("Status")
    @Description("Status of its completion; DROPPED if the queue pair was reset or destroyed")
    String status = "";

    @Label("Network Time")
    @Description("Duration on the clock of the network, which is virtual in a World")
    @Timespan(Timespan.NANOSECONDS)
    long networkTime;

    /** Creates an event that begins now. */
    static RequestEvent begun(HcaEvent.WorkPosted posted) {
        RequestEvent event = new RequestEvent();
        event.adapter = posted.port();
        event.element = posted.element().toString();
        event.opcode = PostedRequest.kindOf(posted.work()).name();
        event.workId = posted.work().id();
        event.bytes = posted.work().lengthBytes();
        event.networkTime = posted.stamp().nanos();
        event.begin();
        return event;
    }

    void ends(String how, Stamp at) {
        end();
        if (shouldCommit()) {
            status = how;
            networkTime = at.nanos() - networkTime;
            commit();
        }
    }
}
