// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.BitFlip;

/** A sentence about packets in the making: when, and then what. Immutable; its last word arms the fault. */
public final class OnPackets {
    /** How much later a reordered packet arrives if none overtakes it. */
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

    /** The first of them only. */
    public OnPackets first() {
        return nth(1);
    }

    /** Each of the first {@code count}. */
    public OnPackets first(int count) {
        return when(new Trigger.First(count));
    }

    /** The n-th only, from 1. */
    public OnPackets nth(int n) {
        return when(new Trigger.Nth(n));
    }

    /** The n-th, the 2n-th, and so on. */
    public OnPackets every(int n) {
        return when(new Trigger.Every(n));
    }

    /** Each by itself. */
    public OnPackets withProbability(double probability) {
        return when(new Trigger.Chance(probability));
    }

    public OnPackets when(Trigger other) {
        return new OnPackets(faults, match, other, moments);
    }

    /** Only between these moments of the world's clock; packets are counted from the first of them on. */
    public OnPackets between(Duration from, Duration until) {
        return new OnPackets(faults, match, trigger, new Interval(from, until));
    }

    public void drop() {
        act(new PacketAction.Drop());
    }

    public void delay(Duration by) {
        delay(by, by);
    }

    /** By a time that is drawn. */
    public void delay(Duration min, Duration max) {
        act(new PacketAction.Delay(min, max));
    }

    public void duplicate() {
        duplicate(Duration.ZERO);
    }

    /** Delivered, and delivered again that much later. */
    public void duplicate(Duration after) {
        act(new PacketAction.Duplicate(after));
    }

    /** Put behind that many later packets to the same queue pair. */
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

    /** @param name how plans and the trace call it */
    public void rewrite(String name, UnaryOperator<Packet> change) {
        act(new PacketAction.Rewrite(name, change));
    }

    /** One that nobody sent comes beside it. */
    public void forge(Forgery forgery) {
        act(new PacketAction.Forge(forgery));
    }

    public void act(PacketAction action) {
        faults.arm(new Fault.OnPackets(match, trigger, moments, action));
    }
}
