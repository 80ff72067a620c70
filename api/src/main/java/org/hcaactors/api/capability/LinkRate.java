// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/**
 * Rate of an Ethernet link, with the width and speed of InfiniBand by which {@code ibv_query_port} expresses it, as {@code
 * translate_eth_proto_oper} of Linux's mlx5 does. More will follow: a switch over them wants a default.
 */
public enum LinkRate {
    GBPS_1(1, 1, 2.5, 1),
    GBPS_10(10, 1, 10, 4),
    GBPS_25(25, 1, 25, 32),
    GBPS_40(40, 4, 10, 4),
    GBPS_50(50, 1, 50, 64),
    GBPS_100(100, 4, 25, 32),
    GBPS_200(200, 4, 50, 64),
    GBPS_400(400, 4, 100, 128);

    private static final long GIGA = 1_000_000_000;

    private final int gigabits;
    private final int lanes;
    private final double laneGigabits;
    private final int speedCode;

    LinkRate(int gigabits, int lanes, double laneGigabits, int speedCode) {
        this.gigabits = gigabits;
        this.lanes = lanes;
        this.laneGigabits = laneGigabits;
        this.speedCode = speedCode;
    }

    /** Rate in Gbit/s. */
    public int gigabits() {
        return gigabits;
    }

    /** Number of lanes, 1 or 4. */
    public int lanes() {
        return lanes;
    }

    /** Code of the number of lanes ({@code active_width}): 1 for one, 2 for four. */
    public int widthCode() {
        return lanes == 1 ? 1 : 2;
    }

    /** Rate of one lane in Gbit/s; 2.5 at the lowest rate, which InfiniBand cannot express. */
    public double laneGigabits() {
        return laneGigabits;
    }

    /** Code of {@link #laneGigabits} ({@code active_speed}). */
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
