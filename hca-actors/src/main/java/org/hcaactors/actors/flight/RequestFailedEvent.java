// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;

@Name("org.hcaactors.RequestFailed")
@Label("Request Failed")
@Category({"RDMA", "Work"})
@Description("A request or a receive that ended with an error, other than flushed ones")
@StackTrace(false)
final class RequestFailedEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("Work Request")
    long workId;

    @Label("Status")
    String status = "";

    @Label("Vendor Error")
    @Description("Vendor error of the model, 0 if none")
    int vendorError;

    @Label("Reason")
    String reason = "";

    static void of(HcaEvent.Completed ended, String reason) {
        RequestFailedEvent event = new RequestFailedEvent();
        if (event.isEnabled()) {
            event.adapter = ended.port();
            event.element = Element.queuePair(ended.completion().qpNumber()).toString();
            event.workId = ended.completion().workId();
            event.status = ended.completion().status().name();
            event.vendorError = ended.completion().vendorError();
            event.reason = reason;
            event.commit();
        }
    }
}
