// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

@Name("org.hcaactors.PageFault")
@Label("Page Fault")
@Category({"RDMA", "Memory"})
@Description("A queue pair waited for pages of a region on demand")
@StackTrace(false)
final class PageFaultEvent extends Event {
    @Label("Adapter")
    String adapter = "";

    @Label("Element")
    @Description("Object of the adapter, such as qp17")
    String element = "";

    @Label("Key")
    String key = "";

    @Label("Kind")
    @Description("Use that found the pages absent")
    String kind = "";

    @Label("Address")
    @Description("Address in the process")
    @MemoryAddress
    long address;

    @Label("Length")
    @Description("Bytes that were requested")
    @DataAmount
    long bytes;

    @Label("Writing")
    boolean writing;

    @Label("Pages")
    @Description("Pages that were mapped")
    long pages;

    @Label("Outcome")
    @Description("MAPPED; CONTENDED if an invalidation prevented the mapping; FAILED")
    String outcome = "";

    @Label("Reason")
    String reason = "";

    @Label("Network Time")
    @Description("Duration on the clock of the network, which is virtual in a World")
    @Timespan(Timespan.NANOSECONDS)
    long networkTime;

    /** Creates an event that begins now. */
    static PageFaultEvent begun(HcaEvent.PageFaultRaised raised) {
        PageFaultEvent event = new PageFaultEvent();
        event.adapter = raised.port();
        event.element = raised.element().toString();
        event.key = Element.key(raised.key()).toString();
        event.kind = raised.kind().name();
        event.address = raised.address();
        event.bytes = raised.lengthBytes();
        event.writing = raised.writing();
        event.networkTime = raised.stamp().nanos();
        event.begin();
        return event;
    }

    void mapped(HcaEvent.PagesMapped mapped) {
        pages = mapped.pages();
        outcome = mapped.contended() ? "CONTENDED" : "MAPPED";
        ends(mapped.stamp());
    }

    void failed(HcaEvent.PageFaultFailed failed) {
        outcome = "FAILED";
        reason = ReasonTexts.of(failed.reason());
        ends(failed.stamp());
    }

    private void ends(Stamp at) {
        networkTime = at.nanos() - networkTime;
        commit();
    }
}
