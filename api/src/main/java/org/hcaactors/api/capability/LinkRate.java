// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * Rate of an Ethernet link, with the width and speed of InfiniBand by which {@code ibv_query_port} expresses it, as {@code
 * translate_eth_proto_oper} of Linux's mlx5 does. More will follow: a switch over them wants a default.
 */
public enum LinkRate {
    GBPS_1(1, 1, 1),
    GBPS_10(10, 1, 4),
    GBPS_25(25, 1, 32),
    GBPS_40(40, 2, 4),
    GBPS_50(50, 1, 64),
    GBPS_100(100, 2, 32),
    GBPS_200(200, 2, 64),
    GBPS_400(400, 2, 128);

    private static final long GIGA = 1_000_000_000;

    private final int gigabits;
    private final int widthCode;
    private final int speedCode;

    LinkRate(int gigabits, int widthCode, int speedCode) {
        this.gigabits = gigabits;
        this.widthCode = widthCode;
        this.speedCode = speedCode;
    }

    /** Rate in Gbit/s. */
    public int gigabits() {
        return gigabits;
    }

    /** Code of the number of lanes ({@code active_width}): 1 for one, 2 for four. */
    public int widthCode() {
        return widthCode;
    }

    /**
     * Code of the speed of one lane ({@code active_speed}): 1 for 2.5 Gbit/s, 4 for 10, 32 for 25, 64 for 50, 128 for 100.
     */
    public int speedCode() {
        return speedCode;
    }

    /** Returns the lowest rate of at least {@code bitsPerSecond}, or the highest rate. */
    public static LinkRate of(long bitsPerSecond) {
        LinkRate[] all = values();
        for (LinkRate rate : all) {
            if (rate.gigabits * GIGA >= bitsPerSecond) {
                return rate;
            }
        }
        return all[all.length - 1];
    }
}
