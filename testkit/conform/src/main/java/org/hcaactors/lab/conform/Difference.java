// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/** Known differences between the machines and a capture, each with the reason. */
public enum Difference {
    WIRE_DUPLICATE("the wire doubled the packet: the same IP identification; its sender sent it once"),
    BAD_ICRC("bits were flipped on the way; the receiver drops the packet"),
    LOST_BEFORE("lost before it was captured: the capture shows by a retransmission that it never arrived"),
    ACK_COALESCED("one acknowledgement covers several messages (IBA 9.7.5.1.2 permits it)"),
    CUT_OFF("the capture ends before the answer"),
    IN_PART("of a message of which the capture lacks a part: it can't be posted again"),
    UNTOLD("it follows from packets that were cut short or are not judged: what is right is not known"),
    BEGUN_BEFORE("it answers what was sent before the capture began"),
    OVERTAKEN("later ones were captured before it: the wire changed the order"),
    PERHAPS_DUPLICATE(
            "the same packet once more, without an IP identification that shows whether its sender or the wire"
                    + " repeated it"),
    ACK_REQUEST(
            "before the end of a message its sender may request an acknowledgement at any packet (rule rc-ack-request)"),
    RXE_READ_REPLAY(
            "if the rest of a READ is requested, Soft-RoCE continues with Middle and Last where a new First or Only"
                    + " is due (IBA 9.7.5.1.5)");

    private final String reason;

    Difference(String reason) {
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
