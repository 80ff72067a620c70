// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;

/**
 * Interval of the world's clock in which a fault is active.
 *
 * @param from first moment
 * @param until first moment at which it is no longer active
 */
public record Interval(Duration from, Duration until) {
    /** Longer than any world runs. */
    public static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    /** Last moment at which a fault can strike; the world is over then. */
    public static final Duration LAST = Duration.ofDays(36_500);

    public static final Interval ALL = new Interval(Duration.ZERO, FOR_EVER);

    /** @throws IllegalArgumentException for a moment or a duration outside the range of the world's clock */
    static void check(Fault fault) {
        switch (fault) {
            case Fault.OnPackets packets -> {
                within(packets.moments().from(), FOR_EVER);
                within(packets.moments().until(), FOR_EVER);
                check(packets.action());
            }
            case Fault.AtMoment moment -> {
                within(moment.at(), LAST);
                check(moment);
            }
            case Fault.OnVerbs verbs -> {
                within(verbs.moments().from(), FOR_EVER);
                within(verbs.moments().until(), FOR_EVER);
            }
            case Fault.LoseWakeup lost -> {}
            case Fault.Drawn drawn -> {}
        }
    }

    private static void check(PacketAction action) {
        switch (action) {
            case PacketAction.Delay delay -> within(delay.max(), FOR_EVER);
            case PacketAction.Duplicate twice -> within(twice.after(), FOR_EVER);
            case PacketAction.Reorder late -> within(late.atMost(), FOR_EVER);
            case PacketAction.Forge forge -> within(forge.forgery().after(), FOR_EVER);
            case PacketAction.Drop drop -> {}
            case PacketAction.Corrupt corrupt -> {}
            case PacketAction.Rewrite rewrite -> {}
        }
    }

    private static void check(Fault.AtMoment fault) {
        switch (fault) {
            case Fault.LinkDown down -> within(down.down(), FOR_EVER);
            case Fault.PowerCycle cycle -> within(cycle.off(), FOR_EVER);
            case Fault.NotifyOff unit -> within(unit.off(), FOR_EVER);
            case Fault.Pause pause -> within(pause.paused(), FOR_EVER);
            case Fault.Slow slow -> {
                within(slow.max(), Fault.Slow.LATEST);
                within(slow.slowed(), FOR_EVER);
            }
            case Fault.StallSubscriber stall -> within(stall.stalled(), FOR_EVER);
            default -> {}
        }
    }

    private static void within(Duration time, Duration max) {
        if (time.isNegative() || time.compareTo(max) > 0) {
            throw new IllegalArgumentException("the time is " + time + "; 0 to " + max + " is allowed");
        }
    }

    boolean include(long nanos) {
        return nanos >= from.toNanos() && nanos < until.toNanos();
    }

    String words() {
        if (equals(ALL)) {
            return "";
        }
        return " from " + from.toNanos() + " ns" + (until.equals(FOR_EVER) ? " on" : " to " + until.toNanos() + " ns");
    }
}
