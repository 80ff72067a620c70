// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.mad.RejectReason;

// rules cm-messages, cm-reject-reasons, cm-ip-service
/** Meanings of the codes in messages of communication management. */
public final class CmCodes {
    private static final String UNKNOWN = "unknown";
    private static final int EXTENDED = 3;
    private static final int XRC = 1;
    private static final int SMALLEST_MTU = 1;
    private static final int LARGEST_MTU = 5;
    private static final long TIME_UNIT_NANOS = 4096;

    private CmCodes() {}

    /** Returns {@code TCP}; empty for the service ID of no IP port. */
    public static String space(long serviceId) {
        if (!IpService.isIp(serviceId)) {
            return "";
        }
        return switch (IpService.space(serviceId)) {
            case IpService.TCP -> "TCP";
            case IpService.UDP -> "UDP";
            default -> "IB";
        };
    }

    /** Returns {@code TCP port 7174}, or {@code service 0x0000000000000107}. */
    public static String service(long serviceId) {
        return IpService.isIp(serviceId) ? space(serviceId) + " port " + IpService.port(serviceId) : id(serviceId);
    }

    /** Returns {@code TCP port 7174 (service 0x0000000001061c06)}. */
    static String serviceWithId(long serviceId) {
        return IpService.isIp(serviceId) ? service(serviceId) + " (" + id(serviceId) + ")" : id(serviceId);
    }

    private static String id(long serviceId) {
        return "service 0x%016x".formatted(serviceId);
    }

    /** Returns the transport of a REQ. */
    public static String transport(int transport, int extendedTransport) {
        return switch (transport) {
            case 0 -> "RC";
            case 1 -> "UC";
            case 2 -> "RD";
            default -> transport == EXTENDED && extendedTransport == XRC ? "XRC" : UNKNOWN;
        };
    }

    /** Returns the message that a MRA is about. */
    public static String received(int of) {
        return switch (of) {
            case 0 -> "REQ";
            case 1 -> "REP";
            case 2 -> "LAP";
            default -> UNKNOWN;
        };
    }

    /** Returns the message that a REJ refuses. */
    public static String refused(int of) {
        return switch (of) {
            case 0 -> "REQ";
            case 1 -> "REP";
            case 2 -> "another";
            default -> UNKNOWN;
        };
    }

    /** Returns the reason of a REJ. */
    public static String reason(int code) {
        return RejectReason.of(code).map(RejectReason::text).orElse(UNKNOWN);
    }

    /** Returns the answer of a REP to the alternate path of its REQ. */
    public static String failover(int code) {
        return switch (code) {
            case 0 -> "accepted";
            case 1 -> "not supported";
            case 2 -> "refused";
            default -> UNKNOWN;
        };
    }

    /** Returns the status of a SIDR_REP. */
    public static String serviceStatus(int code) {
        return switch (code) {
            case 0 -> "the queue pair is valid";
            case 1 -> "nothing listens at the service ID";
            case 2 -> "the program rejected it";
            case 3 -> "no queue pair is available";
            case 4 -> "another port must be used";
            case 5 -> "the version is not supported";
            default -> UNKNOWN;
        };
    }

    /** Returns the status of an APR. */
    public static String pathStatus(int code) {
        return switch (code) {
            case 0 -> "the path is loaded";
            case 1 -> "the communication ID is invalid";
            case 2 -> "alternate paths are not supported";
            case 3 -> "the path is rejected";
            case 4 -> "another path must be used";
            case 5 -> "the path is the current one";
            case 6 -> "the queue pair does not match the communication ID";
            case 7 -> "the LID is invalid";
            case 8 -> "the GID is invalid";
            case 9 -> "the flow label is invalid";
            case 10 -> "the traffic class is invalid";
            case 11 -> "the hop limit is invalid";
            case 12 -> "the packet rate is invalid";
            case 13 -> "the service level is invalid";
            default -> UNKNOWN;
        };
    }

    /** Returns {@code 1024 bytes}. */
    public static String mtu(int code) {
        return code < SMALLEST_MTU || code > LARGEST_MTU ? UNKNOWN : (128 << code) + " bytes";
    }

    /** Returns {@code 67108.864 us} for 14. */
    public static String time(int code) {
        return Wording.micros(TIME_UNIT_NANOS << code) + " us";
    }
}
