// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import java.util.Arrays;
import java.util.Optional;

/** Reasons of a REJ (rule cm-reject-reasons). */
public enum RejectReason {
    NO_QP(1, "no queue pair is available"),
    NO_EEC(2, "no end-to-end context is available"),
    NO_RESOURCES(3, "no resources are available"),
    TIMEOUT(4, "an answer did not arrive in time"),
    UNSUPPORTED(5, "the request is not supported"),
    INVALID_COMM_ID(6, "the communication ID is invalid"),
    INVALID_COMM_INSTANCE(7, "the communication instance is invalid"),
    INVALID_SERVICE_ID(8, "nothing listens at the service ID"),
    INVALID_TRANSPORT_TYPE(9, "the transport service type is invalid"),
    STALE_CONNECTION(10, "the queue pair's last connection is stale"),
    RDC_NOT_EXIST(11, "the reliable datagram channel does not exist"),
    INVALID_GID(12, "the GID of the primary path is invalid"),
    INVALID_LID(13, "the LID of the primary path is invalid"),
    INVALID_SL(14, "the service level of the primary path is invalid"),
    INVALID_TRAFFIC_CLASS(15, "the traffic class of the primary path is invalid"),
    INVALID_HOP_LIMIT(16, "the hop limit of the primary path is invalid"),
    INVALID_PACKET_RATE(17, "the packet rate of the primary path is invalid"),
    INVALID_ALT_GID(18, "the GID of the alternate path is invalid"),
    INVALID_ALT_LID(19, "the LID of the alternate path is invalid"),
    INVALID_ALT_SL(20, "the service level of the alternate path is invalid"),
    INVALID_ALT_TRAFFIC_CLASS(21, "the traffic class of the alternate path is invalid"),
    INVALID_ALT_HOP_LIMIT(22, "the hop limit of the alternate path is invalid"),
    INVALID_ALT_PACKET_RATE(23, "the packet rate of the alternate path is invalid"),
    PORT_CM_REDIRECT(24, "another port and communication manager must be used"),
    PORT_REDIRECT(25, "another port must be used"),
    INVALID_MTU(26, "the path MTU is invalid"),
    INSUFFICIENT_RESPONDER_RESOURCES(27, "the responder resources do not suffice"),
    CONSUMER_DEFINED(28, "the program rejected it"),
    INVALID_RNR_RETRY(29, "the RNR retry count is invalid"),
    DUPLICATE_LOCAL_COMM_ID(30, "the communication ID is in use"),
    INVALID_CLASS_VERSION(31, "the class version is invalid"),
    INVALID_FLOW_LABEL(32, "the flow label of the primary path is invalid"),
    INVALID_ALT_FLOW_LABEL(33, "the flow label of the alternate path is invalid");

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    public int code() {
        return code;
    }

    /** Returns what the reason says, as part of a sentence. */
    public String text() {
        return text;
    }

    /** Returns the reason of a code; empty for a code that the specification does not have. */
    public static Optional<RejectReason> of(int code) {
        return Arrays.stream(values()).filter(each -> each.code == code).findFirst();
    }
}
