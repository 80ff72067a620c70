// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.fabric.link.Transit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.BenchEvent;

/**
 * What goes wrong in a world: armed by a sentence ({@code on(packet().ack().from(b)).first().drop()}), at a moment ({@code
 * after(ofMillis(1)).unplug(a)}), or as a whole plan. Each firing stands in the trace. Where several faults mean a packet,
 * the first one that fires decides. It takes the network's interceptor.
 */
public final class Faults {
    /** Firings that are kept; what fires beyond strikes all the same, and {@link #fired()} is not whole. */
    public static final int MOST_FIRINGS = 1 << 16;

    private final Arena arena;
    private final long seed;
    private final List<Fault> armed = new ArrayList<>();
    private final List<PacketRule> rules = new ArrayList<>();
    private final List<Integer> ruleNumbers = new ArrayList<>();
    private final List<VerbRule> verbs = new ArrayList<>();
    private final List<LostReports> losses = new ArrayList<>();
    private final List<Firing> firings = new ArrayList<>();
    private final List<Struck> fired = new ArrayList<>();
    /** By its number in the plan: it has struck. */
    private final BitSet hit = new BitSet();

    private final Map<String, Integer> sameWords = new LinkedHashMap<>();
    private final List<Runnable> repairs = new ArrayList<>();
    private final List<Instead> replacements = new ArrayList<>();
    /** Counts the stops: what was armed before one does not strike after it. */
    private int stops;

    private boolean forged;

    /** What a fault did, without chance; the fault by its number in the plan. */
    private record Struck(int number, Fault exactly) {}

    /** @param seed from which each fault's lots come */
    public Faults(Arena arena, long seed) {
        this.arena = arena;
        this.seed = seed;
    }

    /** A fault on these packets, to be finished by what happens to them. */
    public OnPackets on(PacketMatch match) {
        return new OnPackets(this, match, new Trigger.Always(), Moments.ALL);
    }

    /** A fault on these verbs, to be finished by what they answer. */
    public OnVerbs on(VerbMatch match) {
        return new OnVerbs(this, match, new Trigger.Always(), Moments.ALL);
    }

    /** A fault at a moment, that long from now. */
    public After after(Duration time) {
        return new After(this, Duration.ofNanos(arena.now()).plus(time));
    }

    /** A fault right now. */
    public After now() {
        return after(Duration.ZERO);
    }

    /** Loses the wake-ups of a completion queue, as that says. */
    public void loseWakeup(Adapter adapter, CompletionQueue cq, Trigger trigger) {
        arm(new Fault.LoseWakeup(adapter.name(), cq.number(), trigger));
    }

    /** Arms every fault of the plan; their moments count from the world's beginning. */
    public void arm(FaultPlan plan) {
        plan.faults().forEach(this::arm);
    }

    /**
     * Of the faults that are armed from now on, the first is replaced by the first of these, and so on; those beyond are armed
     * as they are. So a failed test is tried again with less than what it arms itself.
     */
    public void replace(Instead... others) {
        replacements.clear();
        replacements.addAll(List.of(others));
    }

    public void arm(Fault fault) {
        Instead instead = replacements.isEmpty() ? Instead.asItIs() : replacements.removeFirst();
        switch (instead) {
            case Instead.AsItIs own -> armAsItIs(fault);
            case Instead.These others -> others.plan().faults().forEach(this::armAsItIs);
        }
    }

    private void armAsItIs(Fault fault) {
        Moments.check(fault);
        int number = armed.size();
        armed.add(fault);
        switch (fault) {
            case Fault.OnPackets packets -> {
                if (rules.isEmpty()) {
                    arena.network().intercept(this::judge);
                }
                rules.add(new PacketRule(packets, lots(fault)));
                ruleNumbers.add(number);
            }
            case Fault.AtMoment moment -> {
                long wait = Math.max(0, moment.at().toNanos() - arena.now());
                if (wait == 0) {
                    strike(number, moment);
                } else {
                    int armedAt = stops;
                    arena.after(wait, () -> strikeUnlessStopped(number, moment, armedAt));
                }
            }
            case Fault.OnVerbs refused -> {
                if (verbs.isEmpty()) {
                    arena.guardVerbs(this::judgeVerb);
                }
                verbs.add(new VerbRule(number, refused, lots(fault)));
            }
            case Fault.LoseWakeup lost -> loseWakeups(number, lost);
            case Fault.Drawn drawn -> {
                int armedAt = stops;
                arena.after(
                        Math.max(0, drawn.at().toNanos() - arena.now()),
                        () -> strikeWhatIsThere(number, drawn, armedAt));
            }
        }
    }

    private void strikeWhatIsThere(int number, Fault.Drawn drawn, int armedAt) {
        if (stops == armedAt) {
            DrawnTarget.of(drawn, arena).ifPresent(fault -> strike(number, fault));
        }
    }

    /** What was armed so far. */
    public FaultPlan plan() {
        return new FaultPlan(armed);
    }

    public List<Firing> firings() {
        return List.copyOf(firings);
    }

    /** The fault of that number in {@link #plan()} has struck. */
    public boolean hasStruck(int number) {
        return hit.get(number);
    }

    /** What was armed and has struck nothing so far, in the order of {@link #plan()}. */
    public List<Fault> unstruck() {
        return IntStream.range(0, armed.size())
                .filter(number -> !hit.get(number))
                .mapToObj(armed::get)
                .toList();
    }

    /** What struck so far, without chance: a plan that does the same to the same run. */
    public FaultPlan fired() {
        return new FaultPlan(fired.stream().map(Struck::exactly).toList());
    }

    /** The same of a part of what was armed: of the numbers in {@link #plan()} from {@code first} to before {@code end}. */
    public FaultPlan fired(int first, int end) {
        return new FaultPlan(fired.stream()
                .filter(struck -> first <= struck.number && struck.number < end)
                .map(Struck::exactly)
                .toList());
    }

    /** A packet that nobody sent came in and may have been believed, so that what arrived need not be what a peer did. */
    public boolean hasForged() {
        return forged;
    }

    /** Nothing strikes any more; cables that faults pulled are plugged in, and whom they stalled goes on. */
    public void stop() {
        stops++;
        rules.forEach(PacketRule::stop);
        verbs.clear();
        List.copyOf(repairs).forEach(Runnable::run);
        repairs.clear();
    }

    private SplittableRandom lots(Fault fault) {
        int same = sameWords.merge(fault.words(), 1, Integer::sum);
        // Each fault has lots of its own, so that one more fault shifts nobody else's.
        return RandomStreams.of(seed, "fault " + fault.words() + " " + same);
    }

    /** Every rule counts the packet, also where another one has it: so a plan's parts can be taken out one by one. */
    private Verdict judge(Transit transit) {
        Verdict verdict = Verdict.PASS;
        boolean struck = false;
        for (int i = 0; i < rules.size(); i++) {
            Optional<PacketRule.Strike> strike = rules.get(i).judge(transit);
            if (strike.isPresent() && !struck) {
                struck = true;
                verdict = strike.get().verdict();
                noteStrike(ruleNumbers.get(i), strike.get(), transit);
            }
        }
        return verdict;
    }

    private void noteStrike(int number, PacketRule.Strike strike, Transit transit) {
        Fault.OnPackets fault = (Fault.OnPackets) armed.get(number);
        forged |= strike.exactly() instanceof PacketAction.Forge(var forgery) && forgery.mayBeBelieved();
        String what = transit.packet().opcode() + " psn " + transit.packet().psn() + " from " + transit.fromPort();
        Trigger exactly = new Trigger.Nth(strike.match());
        note(
                new Firing(number, strike.match(), transit.nanos(), what),
                new Fault.OnPackets(fault.match(), exactly, fault.moments(), strike.exactly()));
    }

    private void note(Firing firing, Fault exactly) {
        hit.set(firing.fault());
        if (firings.size() < MOST_FIRINGS) {
            firings.add(firing);
            Struck struck = new Struck(firing.fault(), exactly);
            if (fired.isEmpty() || !fired.getLast().equals(struck)) {
                fired.add(struck);
            }
        }
    }

    private void strikeUnlessStopped(int number, Fault.AtMoment fault, int armedAt) {
        if (stops == armedAt) {
            strike(number, fault);
        }
    }

    /** False where what it strikes is not there. */
    private boolean isThere(Fault.AtMoment fault, Adapter adapter) {
        return switch (fault) {
            case Fault.Crash crash ->
                switch (crash.victim()) {
                    case Victim.TranslatorOf byPattern -> true;
                    case Victim.AdapterItself self -> true;
                    case Victim named -> arena.elements(adapter.name()).contains(named.actor());
                };
            case Fault.Kill kill -> arena.network().processes(adapter).contains(kill.process());
            case Fault.Evict evict -> arena.network().processes(adapter).contains(evict.process());
            default -> true;
        };
    }

    private void strike(int number, Fault.AtMoment fault) {
        Adapter adapter = adapter(fault.adapter());
        boolean there = isThere(fault, adapter);
        RdmaNetwork network = arena.network();
        switch (fault) {
            case Fault.LinkDown down -> unplug(adapter, down.down());
            case Fault.LinkChange change -> network.setLink(adapter, change.link());
            case Fault.Crash crash -> arena.crash(crash.victim());
            case Fault.PowerCycle cycle -> {
                unplug(adapter, cycle.off());
                network.endProcesses(adapter);
                // What starts as it was need not start anew: its processes took everything along.
                if (adapter.firmware().settings().stream().anyMatch(FirmwareSetting::pending)) {
                    adapter.firmware().restart(Restart.POWER_CYCLE);
                }
            }
            case Fault.Starve starve -> arena.withholdReceives(adapter.name(), starve.qp(), starve.messages());
            case Fault.Kill kill -> adapter.process(kill.process()).exit();
            case Fault.Evict evict -> adapter.process(evict.process()).evict(evict.address(), evict.lengthBytes());
            case Fault.Fragment pieces -> network.fragmentMemory(adapter, pieces.order());
            case Fault.StallSubscriber stall -> stall(stall);
            case Fault.EndWaiter thread -> network.threadsOf(adapter).end(thread.waiter());
            case Fault.NotifyOff unit -> {
                network.threadsOf(adapter).turnNotifyUnit(false);
                later(unit.off(), () -> network.threadsOf(adapter).turnNotifyUnit(true));
            }
        }
        arena.tell(fault.adapter(), element(fault), fault.words());
        if (there) {
            note(new Firing(number, 0, arena.now(), fault.adapter()), fault);
        }
    }

    /** Every rule counts the call, as with packets. */
    private Optional<VerbsException> judgeVerb(String adapter, String process, Verb verb, Object on) {
        Optional<VerbsException> refusal = Optional.empty();
        for (VerbRule each : verbs) {
            Optional<Long> strike = each.judge(adapter, process, verb, arena.now());
            if (strike.isPresent() && refusal.isEmpty()) {
                refusal = Optional.of(refused(each, strike.get(), new VerbCall(adapter, process, verb, on.toString())));
            }
        }
        return refusal;
    }

    /** @param on empty where it makes something */
    private record VerbCall(String adapter, String process, Verb verb, String on) {
        String words() {
            return verb.words() + " of " + process + (on.isEmpty() ? "" : " on " + on);
        }
    }

    private VerbsException refused(VerbRule rule, long match, VerbCall call) {
        Fault.OnVerbs fault = rule.fault();
        String why = "the fault \"" + fault.words() + "\"";
        arena.tell(
                call.adapter,
                BenchEvent.ofVerb(call.verb.words()),
                call.words() + " fails with " + fault.errno() + ": " + why);
        note(new Firing(rule.number(), match, arena.now(), call.words()), fault.nth(match));
        return new VerbsException(fault.errno(), call.words() + ", on purpose: " + why);
    }

    private void struck(int number, Fault fault, String port) {
        arena.tell(port, element(fault), fault.words());
        note(new Firing(number, 0, arena.now(), port), fault);
    }

    private static String element(Fault fault) {
        return switch (fault) {
            case Fault.OnPackets packets -> "port";
            case Fault.OnVerbs verbs -> "device";
            case Fault.LinkDown down -> "port";
            case Fault.LinkChange change -> "port";
            case Fault.Crash crash -> crash.victim().element();
            case Fault.PowerCycle cycle -> "device";
            case Fault.Starve starve -> "qp" + starve.qp();
            case Fault.Kill kill -> "process " + kill.process();
            case Fault.Evict evict -> "process " + evict.process();
            case Fault.Fragment pieces -> "device";
            case Fault.StallSubscriber stall -> "cq" + stall.cq();
            case Fault.EndWaiter thread -> "waiter" + thread.waiter();
            case Fault.NotifyOff unit -> "device";
            case Fault.LoseWakeup lost -> "cq" + lost.cq();
            case Fault.Drawn drawn -> "device";
        };
    }

    private Adapter adapter(String name) {
        return arena.network()
                .adapter(name)
                .orElseThrow(() -> new IllegalArgumentException("no adapter " + name + " in this world"));
    }

    private void unplug(Adapter adapter, Duration time) {
        arena.network().unplug(adapter);
        later(time, () -> arena.network().plug(adapter));
    }

    /** Once, when the time has passed or when the faults are stopped. */
    private void later(Duration time, Runnable repair) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            if (repairs.remove(once[0])) {
                repair.run();
            }
        };
        repairs.add(once[0]);
        if (!time.equals(Moments.FOR_EVER)) {
            arena.after(time.toNanos(), once[0]);
        }
    }

    private void stall(Fault.StallSubscriber stall) {
        String path = stall.adapter() + "/cq-" + stall.cq() + "/subscription-";
        Runnable release = arena.watchMail((receiver, message) ->
                receiver.startsWith(path) ? Arena.MailRule.Handling.HOLD : Arena.MailRule.Handling.PASS);
        later(stall.stalled(), release);
    }

    private void loseWakeups(int number, Fault.LoseWakeup lost) {
        if (losses.isEmpty()) {
            Runnable end = arena.watchMail(this::judgeReport);
            later(Moments.FOR_EVER, () -> {
                losses.clear();
                end.run();
            });
        }
        losses.add(new LostReports(number, lost, lots(lost)));
    }

    /** Every fault counts the report, also where another one has it, as with packets. */
    private Arena.MailRule.Handling judgeReport(String receiver, Object message) {
        Arena.MailRule.Handling handling = Arena.MailRule.Handling.PASS;
        for (LostReports each : losses) {
            Optional<Fault.LoseWakeup> strike = each.judge(receiver, message);
            if (strike.isPresent() && handling == Arena.MailRule.Handling.PASS) {
                handling = Arena.MailRule.Handling.LOSE;
                struck(each.number(), strike.get(), strike.get().adapter());
            }
        }
        return handling;
    }
}
