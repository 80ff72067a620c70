// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.Wording;

/**
 * Faults of a world: armed by a sentence ({@code on(packet().ack().from(b)).first().drop()}), at a moment ({@code
 * after(ofMillis(1)).unplug(a)}), or as a whole plan. Each firing is recorded in the trace. If several faults match a packet,
 * the first one that fires decides. Uses the network's interceptor.
 */
public final class Faults {
    /** Maximum number of firings that are kept; further ones still take effect, but {@link #fired()} is then incomplete. */
    public static final int MAX_FIRINGS = 1 << 16;

    private final FaultTarget arena;
    private final long seed;
    private final List<Fault> armed = new ArrayList<>();
    private final List<PacketRule> rules = new ArrayList<>();
    private final List<Integer> ruleNumbers = new ArrayList<>();
    private final List<LostReports> losses = new ArrayList<>();
    private final List<FiredFault> firings = new ArrayList<>();
    private final List<Struck> fired = new ArrayList<>();
    /** Faults that have fired, by number in the plan. */
    private final BitSet hit = new BitSet();

    /** Number of firings by kind, including those that are not kept. */
    private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);

    private final VerbFaults verbs;
    private final DrawnFaults drawn;
    private final Map<String, Integer> sameWords = new LinkedHashMap<>();
    private final List<Runnable> repairs = new ArrayList<>();
    private final List<FaultOverride> replacements = new ArrayList<>();
    /** Number of stops: faults armed before a stop do not fire after it. */
    private int stops;

    private boolean forged;
    private boolean intercepts;

    /** A firing without randomness, with the number of its fault in the plan. */
    private record Struck(int number, Fault exactly) {}

    /** @param seed for the random numbers of each fault */
    public Faults(FaultTarget arena, long seed) {
        this.arena = arena;
        this.seed = seed;
        verbs = new VerbFaults(arena, this::note);
        drawn = new DrawnFaults(arena, this::strike);
    }

    /** Begins a fault on these packets; the returned object sets what happens to them. */
    public OnPackets on(PacketMatch match) {
        return new OnPackets(this, match, new Trigger.Always(), Interval.ALL);
    }

    /** Begins a fault on these verbs; the returned object sets how they fail. */
    public OnVerbs on(VerbMatch match) {
        return new OnVerbs(this, match, new Trigger.Always(), Interval.ALL);
    }

    /** Begins a fault that strikes after that time. */
    public TimedFaults after(Duration time) {
        return new TimedFaults(this, Duration.ofNanos(arena.now()).plus(time));
    }

    /** Begins a fault that strikes now. */
    public TimedFaults now() {
        return after(Duration.ZERO);
    }

    /** Loses wake-ups of a completion queue, as the trigger selects them. */
    public void loseWakeup(Adapter adapter, CompletionQueue cq, Trigger trigger) {
        arm(new Fault.LoseWakeup(adapter.name(), cq.number(), trigger));
    }

    /** Arms every fault of the plan; moments count from the start of the world. */
    public void arm(FaultPlan plan) {
        plan.faults().forEach(this::arm);
    }

    /**
     * Replaces faults that are armed from now on: the first by the first of these, and so on; further ones are armed unchanged.
     * So a failed test can be repeated with fewer faults than it arms itself.
     */
    public void replace(FaultOverride... others) {
        replacements.clear();
        replacements.addAll(List.of(others));
    }

    public void arm(Fault fault) {
        FaultOverride instead = replacements.isEmpty() ? FaultOverride.keep() : replacements.removeFirst();
        switch (instead) {
            case FaultOverride.Keep own -> armAsItIs(fault);
            case FaultOverride.These others -> others.plan().faults().forEach(this::armAsItIs);
        }
    }

    private void armAsItIs(Fault fault) {
        Interval.check(fault);
        int number = armed.size();
        armed.add(fault);
        switch (fault) {
            case Fault.OnPackets packets -> {
                intercept();
                rules.add(new PacketRule(packets, random(fault)));
                ruleNumbers.add(number);
            }
            case Fault.AtMoment moment -> {
                long wait = Math.max(0, moment.at().toNanos() - arena.now());
                if (wait == 0) {
                    strike(number, moment);
                } else {
                    int armedAt = stops;
                    arena.after(wait, () -> fireUnlessStopped(number, moment, armedAt));
                }
            }
            case Fault.OnVerbs refused -> verbs.arm(new VerbRule(number, refused, random(fault)));
            case Fault.LoseWakeup lost -> loseWakeups(number, lost);
            case Fault.Drawn each -> {
                intercept();
                drawn.arm(number, each);
            }
        }
    }

    private void intercept() {
        if (!intercepts) {
            intercepts = true;
            arena.network().intercept(this::verdict);
        }
    }

    /** Returns the faults armed so far. */
    public FaultPlan plan() {
        return new FaultPlan(armed);
    }

    public List<FiredFault> firings() {
        return List.copyOf(firings);
    }

    /**
     * Returns one line for each firing, with what, target and time: {@code drop SEND_ONLY psn 3 64 B of store/qp706 to app at
     * 3.120 us}.
     */
    public List<String> strikes() {
        return firings.stream()
                .map(firing -> {
                    String at = " at " + Wording.micros(firing.nanos()) + " us";
                    return switch (armed.get(firing.fault())) {
                        case Fault.OnPackets packets -> packets.action().words() + " " + firing.what() + at;
                        case Fault.Drawn drawn -> firing.what();
                        case Fault other -> firing.what() + ": " + other.words() + at;
                    };
                })
                .toList();
    }

    /** True if the fault of that number in {@link #plan()} has fired. */
    public boolean hasStruck(int number) {
        return hit.get(number);
    }

    /**
     * Returns the number of firings of each kind, without kinds that have none. A drawn fault counts as the kind that it
     * became.
     */
    public Map<FaultKind, Long> struck() {
        return Collections.unmodifiableMap(new EnumMap<>(struck));
    }

    /** Returns the faults that have not fired so far, in the order of {@link #plan()}. */
    public List<Fault> unstruck() {
        return IntStream.range(0, armed.size())
                .filter(number -> !hit.get(number))
                .mapToObj(armed::get)
                .toList();
    }

    /** Returns the firings so far as a plan without randomness, which does the same to the same run. */
    public FaultPlan fired() {
        return new FaultPlan(fired.stream().map(Struck::exactly).toList());
    }

    /** Returns the firings of the faults numbered {@code first} to before {@code end} in {@link #plan()} as such a plan. */
    public FaultPlan fired(int first, int end) {
        return new FaultPlan(fired.stream()
                .filter(struck -> first <= struck.number && struck.number < end)
                .map(Struck::exactly)
                .toList());
    }

    /**
     * True if a forged packet entered that may have been accepted, so that arrivals need not correspond to actions of a peer.
     */
    public boolean hasForged() {
        return forged;
    }

    /** Disarms all faults, takes links up again that faults took down, and lets stalled and paused parties continue. */
    public void stop() {
        stops++;
        rules.forEach(PacketRule::stop);
        drawn.stop();
        verbs.stop();
        List.copyOf(repairs).forEach(Runnable::run);
        repairs.clear();
    }

    private SplittableRandom random(Fault fault) {
        int same = sameWords.merge(fault.key(), 1, Integer::sum);
        // Each fault has its own random stream, so that one more fault does not change the others.
        return RandomStreams.of(seed, "fault " + fault.key() + " " + same);
    }

    /** Every rule counts the packet, even if another one decides, so that parts of a plan can be removed one by one. */
    private Verdict verdict(PacketInTransit transit) {
        Verdict verdict = Verdict.PASS;
        boolean decided = false;
        for (int i = 0; i < rules.size(); i++) {
            Optional<PacketRule.Strike> strike = rules.get(i).judge(transit);
            if (strike.isPresent() && !decided) {
                decided = true;
                verdict = strike.get().verdict();
                recordFiring(ruleNumbers.get(i), strike.get(), transit);
            }
        }
        drawn.count(transit);
        return verdict;
    }

    private void recordFiring(int number, PacketRule.Strike strike, PacketInTransit transit) {
        Fault.OnPackets fault = (Fault.OnPackets) armed.get(number);
        forged |= strike.exactly() instanceof PacketAction.Forge(var forgery) && forgery.mayBeBelieved();
        Trigger exactly = new Trigger.Nth(strike.match());
        note(
                new FiredFault(number, strike.match(), transit.nanos(), words(transit)),
                new Fault.OnPackets(fault.match(), exactly, fault.moments(), strike.exactly()));
    }

    /** Returns {@code SEND_ONLY psn 3 64 B of store/qp706 to app}. */
    private static String words(PacketInTransit transit) {
        return "%s of %s/qp%d to %s"
                .formatted(Wording.of(transit.packet()), transit.fromPort(), transit.fromQp(), transit.toPort());
    }

    private void note(FiredFault firing, Fault exactly) {
        hit.set(firing.fault());
        struck.merge(exactly.kind(), 1L, Long::sum);
        if (firings.size() < MAX_FIRINGS) {
            firings.add(firing);
            Struck struck = new Struck(firing.fault(), exactly);
            if (fired.isEmpty() || !fired.getLast().equals(struck)) {
                fired.add(struck);
            }
        }
    }

    private void fireUnlessStopped(int number, Fault.AtMoment fault, int armedAt) {
        if (stops == armedAt) {
            strike(number, fault);
        }
    }

    private void strike(int number, Fault.AtMoment fault) {
        boolean exists = exists(fault, adapter(fault.adapter()));
        boolean strikes = exists && act(number, fault);
        arena.tell(fault.adapter(), element(fault), fault.words() + (exists ? "" : ": not found"));
        if (strikes) {
            note(number, fault);
        }
    }

    /** False if the target is known not to exist. */
    private boolean exists(Fault.AtMoment fault, Adapter adapter) {
        return switch (fault) {
            case Fault.Crash crash -> exists(crash.victim());
            case Fault.Kill kill -> arena.network().processes(adapter).contains(kill.process());
            case Fault.Evict evict -> arena.network().processes(adapter).contains(evict.process());
            case Fault.EndWaiter thread ->
                arena.elements(adapter.name()).contains(ObjectKind.WAITER.actor(thread.waiter()));
            case Fault.WithholdReceives starve -> true;
            case Fault.StallSubscriber stall -> true;
            case Fault.LinkDown down -> true;
            case Fault.LinkChange change -> true;
            case Fault.PowerCycle cycle -> true;
            case Fault.Fragment pieces -> true;
            case Fault.NotifyOff unit -> true;
            case Fault.Pause pause -> true;
            case Fault.Slow slow -> true;
        };
    }

    private boolean exists(CrashTarget victim) {
        Pattern name = Pattern.compile(victim.actor().replace("*", ".*"));
        return victim instanceof CrashTarget.AdapterItself
                || arena.elements(victim.adapter()).stream()
                        .anyMatch(element -> name.matcher(element).matches());
    }

    /** Executes the fault. False if it has no effect yet: a fault whose effect comes later records its firing itself. */
    private boolean act(int number, Fault.AtMoment fault) {
        Adapter adapter = adapter(fault.adapter());
        RdmaNetwork network = arena.network();
        switch (fault) {
            case Fault.WithholdReceives starve -> {
                arena.withholdReceives(adapter.name(), starve.qp(), starve.messages(), () -> note(number, starve));
                return false;
            }
            case Fault.StallSubscriber stall -> {
                stall(stall, once(() -> note(number, stall)));
                return false;
            }
            case Fault.Pause pause -> {
                later(pause.paused(), arena.pausePrograms(adapter.name(), once(() -> note(number, pause))));
                return false;
            }
            case Fault.Slow slow -> {
                SplittableRandom random = random(slow);
                long max = slow.max().toNanos();
                later(
                        slow.slowed(),
                        arena.slowPrograms(
                                adapter.name(), () -> random.nextLong(max + 1), once(() -> note(number, slow))));
                return false;
            }
            case Fault.Evict evict -> {
                return adapter.process(evict.process()).evict(evict.address(), evict.lengthBytes()) > 0;
            }
            case Fault.LinkDown down -> unplug(adapter, down.down());
            case Fault.LinkChange change -> network.setLink(adapter, change.link());
            case Fault.Crash crash -> arena.crash(crash.victim());
            case Fault.PowerCycle cycle -> powerCycle(adapter, cycle.off());
            case Fault.Kill kill -> adapter.process(kill.process()).kill();
            case Fault.Fragment pieces -> network.fragmentMemory(adapter, pieces.order());
            case Fault.EndWaiter thread -> network.threadsOf(adapter).end(thread.waiter());
            case Fault.NotifyOff unit -> {
                network.threadsOf(adapter).turnNotifyUnit(false);
                later(unit.off(), () -> network.threadsOf(adapter).turnNotifyUnit(true));
            }
        }
        return true;
    }

    private void powerCycle(Adapter adapter, Duration off) {
        unplug(adapter, off);
        arena.network().losePower(adapter);
        // Without a pending setting a restart changes nothing: all objects ended with the processes.
        if (adapter.firmware().settings().stream().anyMatch(FirmwareSetting::pending)) {
            adapter.firmware().restart(Restart.POWER_CYCLE);
        }
    }

    private static Runnable once(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                action.run();
            }
        };
    }

    private void note(int number, Fault.AtMoment fault) {
        String what = armed.get(number) instanceof Fault.Drawn ? fault.words() : fault.adapter();
        note(new FiredFault(number, 0, arena.now(), what), fault);
    }

    private static String element(Fault fault) {
        return switch (fault) {
            case Fault.OnPackets packets -> "port";
            case Fault.OnVerbs verbs -> "device";
            case Fault.LinkDown down -> "port";
            case Fault.LinkChange change -> "port";
            case Fault.Crash crash -> crash.victim().element();
            case Fault.PowerCycle cycle -> "device";
            case Fault.WithholdReceives starve -> "qp" + starve.qp();
            case Fault.Kill kill -> "process " + kill.process();
            case Fault.Evict evict -> "process " + evict.process();
            case Fault.Fragment pieces -> "device";
            case Fault.StallSubscriber stall -> "cq" + stall.cq();
            case Fault.EndWaiter thread -> "waiter" + thread.waiter();
            case Fault.NotifyOff unit -> "device";
            case Fault.Pause pause -> "device";
            case Fault.Slow slow -> "device";
            case Fault.LoseWakeup lost -> "cq" + lost.cq();
            case Fault.Drawn drawn -> "device";
        };
    }

    private Adapter adapter(String name) {
        return arena.network()
                .adapter(name)
                .orElseThrow(() -> new IllegalArgumentException("this world has no adapter " + name));
    }

    private void unplug(Adapter adapter, Duration time) {
        arena.network().unplug(adapter);
        later(time, () -> arena.network().plug(adapter));
    }

    /** Runs the repair once, when the time has passed or when the faults are stopped. */
    private void later(Duration time, Runnable repair) {
        Runnable[] once = new Runnable[1];
        once[0] = () -> {
            if (repairs.remove(once[0])) {
                repair.run();
            }
        };
        repairs.add(once[0]);
        if (!time.equals(Interval.FOR_EVER)) {
            arena.after(time.toNanos(), once[0]);
        }
    }

    /** @param struck called when a message to the subscriber is held */
    private void stall(Fault.StallSubscriber stall, Runnable struck) {
        String path = stall.adapter() + "/cq-" + stall.cq() + "/subscription-";
        Runnable release = arena.interceptMessages((receiver, message) -> {
            if (!receiver.startsWith(path)) {
                return FaultTarget.MessageRule.Handling.PASS;
            }
            struck.run();
            return FaultTarget.MessageRule.Handling.HOLD;
        });
        later(stall.stalled(), release);
    }

    private void loseWakeups(int number, Fault.LoseWakeup lost) {
        if (losses.isEmpty()) {
            Runnable end = arena.interceptMessages(this::notificationVerdict);
            later(Interval.FOR_EVER, () -> {
                losses.clear();
                end.run();
            });
        }
        losses.add(new LostReports(number, lost, random(lost)));
    }

    /** Every fault counts the notification, even if another one decides, as with packets. */
    private FaultTarget.MessageRule.Handling notificationVerdict(String receiver, Object message) {
        FaultTarget.MessageRule.Handling handling = FaultTarget.MessageRule.Handling.PASS;
        for (LostReports each : losses) {
            Optional<Fault.LoseWakeup> strike = each.judge(receiver, message);
            if (strike.isPresent() && handling == FaultTarget.MessageRule.Handling.PASS) {
                handling = FaultTarget.MessageRule.Handling.LOSE;
                Fault.LoseWakeup lost = strike.get();
                arena.tell(lost.adapter(), element(lost), lost.words());
                note(new FiredFault(each.number(), 0, arena.now(), lost.adapter()), lost);
            }
        }
        return handling;
    }
}
