// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.wire.BitFlip;

/** Execution of a fault on packets: counts matching packets, draws random numbers, and decides about each packet. */
final class PacketRule {
    /** A firing of the rule. */
    record Strike(Verdict verdict, long match, PacketAction exactly) {}

    private final Fault.OnPackets fault;
    private final String name;
    private final SplittableRandom random;
    private long matches;
    private boolean stopped;

    PacketRule(Fault.OnPackets fault, SplittableRandom random) {
        this.fault = fault;
        this.name = '"' + fault.words() + '"';
        this.random = random;
    }

    void stop() {
        stopped = true;
    }

    /** Returns the firing; empty if the rule does not affect the packet. */
    Optional<Strike> judge(PacketInTransit transit) {
        if (stopped) {
            return Optional.empty();
        }
        boolean meant =
                fault.moments().include(transit.nanos()) && fault.match().holds(transit);
        if (!meant) {
            return Optional.empty();
        }
        matches++;
        return fault.trigger().strikes(matches, random) ? strike(transit) : Optional.empty();
    }

    private Optional<Strike> strike(PacketInTransit transit) {
        return switch (fault.action()) {
            case PacketAction.Drop drop -> struck(new Verdict.Drop(name), drop);
            case PacketAction.Delay delay -> {
                long min = delay.min().toNanos();
                long max = delay.max().toNanos();
                long by = min == max ? min : random.nextLong(min, Math.min(max, Long.MAX_VALUE - 1) + 1);
                Duration exactly = Duration.ofNanos(by);
                yield struck(new Verdict.Delay(name, by), new PacketAction.Delay(exactly, exactly));
            }
            case PacketAction.Duplicate twice ->
                struck(new Verdict.Duplicate(name, twice.after().toNanos()), twice);
            case PacketAction.Reorder late ->
                struck(new Verdict.Reorder(name, late.behind(), late.atMost().toNanos()), late);
            case PacketAction.Corrupt corrupt ->
                struck(
                        new Verdict.Corrupt(name, BitFlip.of(transit.packet(), corrupt.where(), matches * 8191)),
                        corrupt);
            case PacketAction.Rewrite rewrite ->
                struck(new Verdict.Replace(name, rewrite.change().apply(transit.packet())), rewrite);
            case PacketAction.Forge forge -> struck(forged(forge.forgery(), transit), forge);
        };
    }

    private Verdict forged(Forgery forgery, PacketInTransit transit) {
        return new Verdict.Forge(
                name,
                forgery.place(),
                Forger.frame(transit, forgery),
                forgery.after().toNanos());
    }

    private Optional<Strike> struck(Verdict verdict, PacketAction exactly) {
        return Optional.of(new Strike(verdict, matches, exactly));
    }
}
