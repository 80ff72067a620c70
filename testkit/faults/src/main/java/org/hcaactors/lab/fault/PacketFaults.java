// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * The faults on packets of a plan, as an interceptor of any network, also of one in real time: {@code
 * network.intercept(new PacketFaults(plan, seed))}. Moments count from the first packet. If several faults match a packet, the
 * first one that fires decides. The packets that come out of a cable are from {@code cable}.
 *
 * <p>Threads: one network's fabric judges; {@link #struck} on any thread.
 */
public final class PacketFaults implements Interceptor {
    private final List<Rule> rules;
    private OptionalLong start = OptionalLong.empty();

    private record Rule(Fault.OnPackets fault, PacketRule rule, AtomicLong struck) {}

    /**
     * Result of a fault.
     *
     * @param words of the fault: {@code drop packets with probability 0.05}
     * @param times packets that it struck
     */
    public record Struck(String words, long times) {}

    /**
     * Arms the faults of a plan.
     *
     * @param seed for the random numbers of each fault
     * @throws IllegalArgumentException if the plan has another fault than one on packets
     */
    public PacketFaults(FaultPlan plan, long seed) {
        List<Rule> all = new ArrayList<>();
        for (Fault fault : plan.faults()) {
            Interval.check(fault);
            if (!(fault instanceof Fault.OnPackets packets)) {
                throw new IllegalArgumentException(
                        "\"" + fault.words() + "\" requires a world; outside of one there are"
                                + " faults on packets only: drop, delay, duplicate, reorder, corrupt, forge");
            }
            PacketRule rule =
                    new PacketRule(packets, RandomStreams.of(seed, "fault " + fault.key() + " " + all.size()));
            all.add(new Rule(packets, rule, new AtomicLong()));
        }
        rules = List.copyOf(all);
    }

    @Override
    public Verdict judge(PacketInTransit transit) {
        long first = start.orElseGet(transit::nanos);
        start = OptionalLong.of(first);
        PacketInTransit since = new PacketInTransit(
                transit.fromPort(), transit.fromQp(), transit.toPort(), transit.packet(), transit.nanos() - first);
        Optional<Verdict> decided = Optional.empty();
        for (Rule each : rules) {
            // Every rule counts the packet, even if another one decides.
            Optional<Verdict> verdict = each.rule.judge(since).map(PacketRule.Strike::verdict);
            if (decided.isEmpty() && verdict.isPresent()) {
                decided = verdict;
                each.struck.incrementAndGet();
            }
        }
        return decided.orElse(Verdict.PASS);
    }

    /** Returns what each fault did, in the order of the plan. */
    public List<Struck> struck() {
        return rules.stream()
                .map(each -> new Struck(each.fault.words(), each.struck.get()))
                .toList();
    }
}
