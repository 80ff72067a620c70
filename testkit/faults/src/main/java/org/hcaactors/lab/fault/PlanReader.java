// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.lab.hocon.RefusedException;
import org.hcaactors.lab.hocon.Section;

/** Reader of plans written by {@link PlanWriter}; rejects everything else with the reason. */
final class PlanReader {
    private static final Set<String> MATCH_KEYS = Set.of(
            "opcode",
            "family",
            "place",
            "transport",
            "says",
            "cm",
            "request",
            "psn",
            "psn-last",
            "from",
            "to",
            "from-lot",
            "from-qp",
            "to-qp",
            "to-srq",
            "across");
    private static final List<String> KINDS = List.of(
            "drop",
            "delay",
            "duplicate",
            "reorder",
            "corrupt",
            "forge",
            "fail",
            "starve",
            "unplug",
            "link",
            "crash",
            "power-cycle",
            "kill",
            "evict",
            "fragment",
            "end-waiter",
            "notify-off",
            "lose-wakeup",
            "stall-subscriber",
            "pause",
            "slow",
            "drawn");
    private static final Set<String> TRIGGER_KEYS = Set.of("nth", "first", "every", "probability");
    private static final Set<String> MOMENT_KEYS = Set.of("from-time", "until-time");

    private PlanReader() {}

    /** @param whole has a list {@code faults} */
    static FaultPlan read(Section whole) {
        List<Fault> faults = new ArrayList<>();
        for (Section entry : whole.sections("faults")) {
            if (entry.keys().size() != 1) {
                throw entry.wrong("a fault is an object with exactly one key, the kind of the fault; it has the keys "
                        + entry.keys());
            }
            String kind = entry.keys().getFirst();
            if (!KINDS.contains(kind)) {
                throw entry.wrong(kind, "unknown fault; allowed are " + String.join(", ", KINDS));
            }
            faults.add(new Entry(kind, entry.section(kind)).fault());
        }
        return new FaultPlan(faults);
    }

    /** One fault of the text. */
    private record Entry(String kind, Section keys) {
        Fault fault() {
            try {
                return read();
            } catch (RefusedException refused) {
                throw refused;
            } catch (IllegalArgumentException bad) {
                throw keys.wrong(String.valueOf(bad.getMessage()));
            }
        }

        private Fault read() {
            return switch (kind) {
                case "drop" -> packets(Set.of(), PacketAction.Drop::new);
                case "delay" ->
                    packets(
                            Set.of("by", "at-most"),
                            () -> new PacketAction.Delay(
                                    time("by"), keys.has("at-most") ? time("at-most") : time("by")));
                case "duplicate" ->
                    packets(
                            Set.of("after"),
                            () -> new PacketAction.Duplicate(keys.has("after") ? time("after") : Duration.ZERO));
                case "reorder" ->
                    packets(
                            Set.of("behind", "at-most"),
                            () -> new PacketAction.Reorder(number("behind", Integer.MAX_VALUE), time("at-most")));
                case "corrupt" ->
                    packets(Set.of("where"), () -> new PacketAction.Corrupt(keys.one("where", BitFlip.Where.class)));
                case "forge" -> packets(ForgeryText.KEYS, () -> new PacketAction.Forge(ForgeryText.read(keys)));
                case "fail" -> verbs();
                case "starve" -> {
                    keys.only("at", "adapter", "qp", "messages");
                    yield new Fault.WithholdReceives(
                            moment(), adapter(), numberOf("qp"), number("messages", Integer.MAX_VALUE));
                }
                case "unplug" -> {
                    keys.only("at", "adapter", "for");
                    yield new Fault.LinkDown(moment(), adapter(), time("for"));
                }
                case "link" -> {
                    keys.only("at", "adapter", "latency", "bits-per-second", "mtu-bytes", "queue-bytes");
                    yield new Fault.LinkChange(moment(), adapter(), link());
                }
                case "crash" -> {
                    keys.only("at", "adapter", "qp", "cq", "srq", "key");
                    yield new Fault.Crash(moment(), victim());
                }
                case "power-cycle" -> {
                    keys.only("at", "adapter", "off");
                    yield new Fault.PowerCycle(moment(), adapter(), time("off"));
                }
                case "kill" -> {
                    keys.only("at", "adapter", "process");
                    yield new Fault.Kill(moment(), adapter(), keys.text("process"));
                }
                case "evict" -> evict();
                case "fragment" -> {
                    keys.only("at", "adapter", "largest-block");
                    yield new Fault.Fragment(moment(), adapter(), keys.bytes("largest-block", 1, Long.MAX_VALUE));
                }
                case "end-waiter" -> {
                    keys.only("at", "adapter", "waiter");
                    yield new Fault.EndWaiter(moment(), adapter(), numberOf("waiter"));
                }
                case "notify-off" -> {
                    keys.only("at", "adapter", "for");
                    yield new Fault.NotifyOff(moment(), adapter(), time("for"));
                }
                case "lose-wakeup" -> {
                    keys.only("adapter", "cq", "nth", "first", "every", "probability");
                    yield new Fault.LoseWakeup(adapter(), numberOf("cq"), trigger());
                }
                case "stall-subscriber" -> {
                    keys.only("at", "adapter", "cq", "for");
                    yield new Fault.StallSubscriber(moment(), adapter(), numberOf("cq"), time("for"));
                }
                case "pause" -> {
                    keys.only("at", "adapter", "for");
                    yield new Fault.Pause(moment(), adapter(), time("for"));
                }
                case "slow" -> {
                    keys.only("at", "adapter", "by", "for");
                    yield new Fault.Slow(moment(), adapter(), time("by"), time("for"));
                }
                case "drawn" -> {
                    keys.only("what", "probability", "lot");
                    yield new Fault.Drawn(
                            keys.one("what", Fault.Drawn.What.class),
                            keys.fraction("probability"),
                            keys.whole("lot", 0, Long.MAX_VALUE));
                }
                default -> throw keys.wrong("unknown fault");
            };
        }

        /** Reads an eviction; without a range, it is of all pages of the process. */
        private Fault evict() {
            keys.only("at", "adapter", "process", "address", "bytes");
            if (keys.has("bytes") && !keys.has("address")) {
                throw keys.wrong("bytes", "requires address; omit both to evict all pages of the process");
            }
            long address = keys.has("address") ? keys.whole("address", 0, Long.MAX_VALUE) : 0;
            long bytes = keys.has("bytes") ? keys.bytes("bytes", 1, Long.MAX_VALUE) : Long.MAX_VALUE - address;
            return new Fault.Evict(moment(), adapter(), keys.text("process"), address, bytes);
        }

        private Fault packets(Set<String> own, Supplier<PacketAction> action) {
            Set<String> allowed = new LinkedHashSet<>(own);
            allowed.addAll(MATCH_KEYS);
            allowed.addAll(TRIGGER_KEYS);
            allowed.addAll(MOMENT_KEYS);
            keys.only(allowed.toArray(String[]::new));
            return new Fault.OnPackets(match(), trigger(), moments(), action.get());
        }

        private Interval moments() {
            return keys.has("from-time") || keys.has("until-time")
                    ? new Interval(
                            keys.has("from-time") ? time("from-time") : Duration.ZERO,
                            keys.has("until-time") ? time("until-time") : Interval.FOR_EVER)
                    : Interval.ALL;
        }

        /** Reads a fault on verbs; without names, it is on all verbs that can fail with the errno. */
        private Fault verbs() {
            Set<String> allowed = new LinkedHashSet<>(Set.of("verb", "process", "adapter", "errno"));
            allowed.addAll(TRIGGER_KEYS);
            allowed.addAll(MOMENT_KEYS);
            keys.only(allowed.toArray(String[]::new));
            VerbMatch match = new VerbMatch(
                    keys.has("verb") ? keys.many("verb", Verb.class) : Set.of(),
                    optional("process"),
                    optional("adapter"));
            return new Fault.OnVerbs(match, trigger(), moments(), keys.one("errno", Errno.class));
        }

        private Optional<String> optional(String key) {
            return keys.has(key) ? Optional.of(keys.text(key)) : Optional.empty();
        }

        private PacketMatch match() {
            List<Condition> all = new ArrayList<>();
            when("opcode", () -> all.add(new Condition.OpcodeIn(keys.many("opcode", Opcode.class))));
            when("family", () -> all.add(new Condition.FamilyIn(keys.many("family", Operation.Family.class))));
            when("place", () -> all.add(new Condition.PlaceIn(keys.many("place", Operation.Place.class))));
            when("transport", () -> all.add(new Condition.Transport(keys.one("transport", TransportClass.class))));
            when("says", () -> all.add(new Condition.Says(keys.one("says", Condition.Verdict.class))));
            when("cm", () -> all.add(new Condition.Cm(keys.many("cm", CmAttribute.class))));
            when("request", () -> all.add(new Condition.Request(keys.flag("request"))));
            when(
                    "psn",
                    () -> all.add(new Condition.PsnBetween(
                            number("psn", 0xFF_FFFF), number(keys.has("psn-last") ? "psn-last" : "psn", 0xFF_FFFF))));
            when("from", () -> all.add(new Condition.From(keys.text("from"))));
            when("to", () -> all.add(new Condition.To(keys.text("to"))));
            when("from-lot", () -> all.add(new Condition.FromSome(keys.whole("from-lot", 0, Long.MAX_VALUE))));
            when("from-qp", () -> all.add(new Condition.FromQp(number("from-qp", 0xFF_FFFF))));
            when("to-qp", () -> all.add(new Condition.ToQp(number("to-qp", 0xFF_FFFF))));
            when("to-srq", () -> all.add(new Condition.ToSrq(number("to-srq", 0xFF_FFFF))));
            when("across", () -> all.add(new Condition.Across(Set.copyOf(keys.names("across")))));
            return new PacketMatch(all);
        }

        private void when(String key, Runnable then) {
            if (keys.has(key)) {
                then.run();
            }
        }

        private Trigger trigger() {
            if (keys.has("nth")) {
                return new Trigger.Nth(keys.whole("nth", 1, Long.MAX_VALUE));
            } else if (keys.has("first")) {
                return new Trigger.First(keys.whole("first", 1, Long.MAX_VALUE));
            } else if (keys.has("every")) {
                return new Trigger.Every(keys.whole("every", 1, Long.MAX_VALUE));
            } else if (keys.has("probability")) {
                return new Trigger.Chance(keys.fraction("probability"));
            }
            return new Trigger.Always();
        }

        private CrashTarget victim() {
            if (keys.has("qp")) {
                return new CrashTarget.QueuePairOf(adapter(), numberOf("qp"));
            } else if (keys.has("cq")) {
                return new CrashTarget.CompletionQueueOf(adapter(), numberOf("cq"));
            } else if (keys.has("srq")) {
                return new CrashTarget.SharedReceivesOf(adapter(), numberOf("srq"));
            } else if (keys.has("key")) {
                return new CrashTarget.TranslatorOf(adapter(), (int) keys.whole("key", 0, 0xFFFF_FFFFL));
            }
            return new CrashTarget.AdapterItself(adapter());
        }

        private LinkProperties link() {
            LinkProperties ideal = LinkProperties.IDEAL;
            return new LinkProperties(
                    keys.time("latency").toNanos(),
                    keys.has("bits-per-second")
                            ? keys.whole("bits-per-second", 0, Long.MAX_VALUE)
                            : ideal.bitsPerSecond(),
                    keys.has("mtu-bytes") ? number("mtu-bytes", Integer.MAX_VALUE) : ideal.mtuBytes(),
                    keys.has("queue-bytes") ? keys.whole("queue-bytes", 1, Long.MAX_VALUE) : ideal.queueBytes());
        }

        private String adapter() {
            return keys.text("adapter");
        }

        /** A moment must be set: faults strike once. */
        private Duration moment() {
            return keys.time("at");
        }

        private Duration time(String key) {
            return keys.has(key) && keys.text(key).equals("ever") ? Interval.FOR_EVER : keys.time(key);
        }

        /** Reads the number of an adapter's object. */
        private int numberOf(String key) {
            String text = keys.has(key) ? keys.text(key) : "";
            if (!text.matches("[0-9]+|0x[0-9a-fA-F]+")) {
                throw keys.wrong(
                        key,
                        (text.isEmpty() ? "is missing" : text + " is no number")
                                + "; the number that the ladder shows is required: 1 for " + key + "1");
            }
            return number(key, 0xFF_FFFF);
        }

        private int number(String key, int max) {
            return (int) keys.whole(key, 0, max);
        }
    }
}
