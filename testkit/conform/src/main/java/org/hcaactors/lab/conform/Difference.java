// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/** Known differences between the machines and a capture, each with the reason. */
public enum Difference {
    WIRE_DUPLICATE("the network duplicated the packet: two copies with the same IP identification"),
    BAD_ICRC("the packet was corrupted on the way, so the receiver drops it"),
    LOST_BEFORE("the packet was lost before the point of capture, as its retransmission shows"),
    ACK_COALESCED("one acknowledgement covers several messages (IBA 9.7.5.1.2 permits it)"),
    CUT_OFF("the capture ends before the answer was captured"),
    IN_PART("the capture lacks a part of the message, so its request cannot be posted to the model"),
    UNTOLD("the correct packet is unknown, because it depends on truncated or excluded packets"),
    BEGUN_BEFORE("the answered request was sent before the capture began"),
    OVERTAKEN("the network reordered the packets: later packets were captured before this one"),
    PERHAPS_DUPLICATE("the packet occurs twice, and no IP identification shows whether its sender or the network"
            + " repeated it"),
    ACK_REQUEST("a requester may request an acknowledgement with any packet of a message (rule rc-ack-request)"),
    RXE_READ_REPLAY(
            "Soft-RoCE answers a request for the rest of a READ with Middle and Last instead of a new First or Only"
                    + " (IBA 9.7.5.1.5)");

    private final String reason;

    Difference(String reason) {
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
