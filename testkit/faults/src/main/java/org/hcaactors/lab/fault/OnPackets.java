// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.BitFlip;

/** Builder of a fault on packets: when, and then what. Immutable; the last call arms the fault. */
public final class OnPackets {
    /** Maximum delay of a reordered packet that is not overtaken. */
    private static final Duration REORDER_AT_MOST = Duration.ofNanos(50_000);

    private final Faults faults;
    private final PacketMatch match;
    private final Trigger trigger;
    private final Interval moments;

    OnPackets(Faults faults, PacketMatch match, Trigger trigger, Interval moments) {
        this.faults = faults;
        this.match = match;
        this.trigger = trigger;
        this.moments = moments;
    }

    /** Strikes the first matching packet only. */
    public OnPackets first() {
        return nth(1);
    }

    /** Strikes each of the first {@code count} matching packets. */
    public OnPackets first(int count) {
        return when(new Trigger.First(count));
    }

    /** Strikes the n-th matching packet only, from 1. */
    public OnPackets nth(int n) {
        return when(new Trigger.Nth(n));
    }

    /** Strikes the n-th, the 2n-th, and so on. */
    public OnPackets every(int n) {
        return when(new Trigger.Every(n));
    }

    /** Strikes each matching packet independently with that probability. */
    public OnPackets withProbability(double probability) {
        return when(new Trigger.Chance(probability));
    }

    public OnPackets when(Trigger other) {
        return new OnPackets(faults, match, other, moments);
    }

    /** Strikes only between these moments of the world's clock; packets are counted from the first of them on. */
    public OnPackets between(Duration from, Duration until) {
        return new OnPackets(faults, match, trigger, new Interval(from, until));
    }

    public void drop() {
        act(new PacketAction.Drop());
    }

    public void delay(Duration by) {
        delay(by, by);
    }

    /** Delays packets by a random time. */
    public void delay(Duration min, Duration max) {
        act(new PacketAction.Delay(min, max));
    }

    public void duplicate() {
        duplicate(Duration.ZERO);
    }

    /** Delivers the packet, and a copy of it later by that time. */
    public void duplicate(Duration after) {
        act(new PacketAction.Duplicate(after));
    }

    /** Delivers the packet after the given number of later packets to the same queue pair. */
    public void reorder(int behind) {
        act(new PacketAction.Reorder(behind, REORDER_AT_MOST));
    }

    public void corruptPayload() {
        act(new PacketAction.Corrupt(BitFlip.Where.PAYLOAD));
    }

    public void corruptHeader() {
        act(new PacketAction.Corrupt(BitFlip.Where.HEADER));
    }

    public void corruptIcrc() {
        act(new PacketAction.Corrupt(BitFlip.Where.ICRC));
    }

    /** @param name in plans and in the trace */
    public void rewrite(String name, UnaryOperator<Packet> change) {
        act(new PacketAction.Rewrite(name, change));
    }

    /** Adds a forged packet next to the packet. */
    public void forge(Forgery forgery) {
        act(new PacketAction.Forge(forgery));
    }

    public void act(PacketAction action) {
        faults.arm(new Fault.OnPackets(match, trigger, moments, action));
    }
}
