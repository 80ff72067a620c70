package org.hcaactors.lab.fault;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.BitFlip;

/** Reads what {@link PlanWriter} writes, and says what is wrong with anything else. */
final class PlanReader {
    private static final Set<String> MATCH_KEYS = Set.of(
            "opcode",
            "family",
            "place",
            "transport",
            "says",
            "request",
            "psn",
            "psn-last",
            "from",
            "to",
            "from-qp",
            "to-qp",
            "across");
    private static final Set<String> OCCASION_KEYS = Set.of("nth", "first", "every", "probability");
    private static final Set<String> MOMENT_KEYS = Set.of("from-time", "until-time");

    private PlanReader() {}

    static FaultPlan read(String hocon) {
        try {
            List<Fault> faults = new ArrayList<>();
            for (ConfigObject entry : ConfigFactory.parseString(hocon).getObjectList("faults")) {
                if (entry.size() != 1) {
                    throw wrong(entry, "a fault is an object with one key, not with " + entry.keySet());
                }
                String kind = entry.keySet().iterator().next();
                faults.add(new Entry(kind, entry.toConfig().getConfig(kind)).fault());
            }
            return new FaultPlan(faults);
        } catch (ConfigException bad) {
            throw new IllegalArgumentException("not a fault plan: " + bad.getMessage());
        }
    }

    private static IllegalArgumentException wrong(ConfigObject where, String what) {
        return new IllegalArgumentException("line " + where.origin().lineNumber() + ": " + what);
    }

    /** One fault as it was written. */
    private record Entry(String kind, Config keys) {
        Fault fault() {
            try {
                return switch (kind) {
                    case "drop" -> packets(Set.of(), PacketAction.Drop::new);
                    case "delay" ->
                        packets(
                                Set.of("by", "at-most"),
                                () -> new PacketAction.Delay(
                                        time("by"), keys.hasPath("at-most") ? time("at-most") : time("by")));
                    case "duplicate" ->
                        packets(
                                Set.of("after"),
                                () -> new PacketAction.Duplicate(
                                        keys.hasPath("after") ? time("after") : Duration.ZERO));
                    case "reorder" ->
                        packets(
                                Set.of("behind", "at-most"),
                                () -> new PacketAction.Reorder(keys.getInt("behind"), time("at-most")));
                    case "corrupt" ->
                        packets(Set.of("where"), () -> new PacketAction.Corrupt(one("where", BitFlip.Where.class)));
                    case "starve" -> {
                        only("at", "adapter", "qp", "messages");
                        yield new Fault.Starve(time("at"), adapter(), keys.getInt("qp"), keys.getInt("messages"));
                    }
                    case "unplug" -> {
                        only("at", "adapter", "for");
                        yield new Fault.LinkDown(time("at"), adapter(), time("for"));
                    }
                    case "link" -> {
                        only("at", "adapter", "latency", "bits-per-second", "mtu-bytes", "queue-bytes");
                        yield new Fault.LinkChange(time("at"), adapter(), link());
                    }
                    case "crash" -> {
                        only("at", "adapter", "qp", "cq", "srq", "key");
                        yield new Fault.Crash(time("at"), victim());
                    }
                    case "power-cycle" -> {
                        only("at", "adapter", "off");
                        yield new Fault.PowerCycle(time("at"), adapter(), time("off"));
                    }
                    case "kill" -> {
                        only("at", "adapter", "process");
                        yield new Fault.Kill(time("at"), adapter(), keys.getString("process"));
                    }
                    case "lose-wakeup" -> {
                        only("adapter", "cq", "nth", "first", "every", "probability");
                        yield new Fault.LoseWakeup(adapter(), keys.getInt("cq"), occasion());
                    }
                    case "stall-subscriber" -> {
                        only("at", "adapter", "cq", "for");
                        yield new Fault.StallSubscriber(time("at"), adapter(), keys.getInt("cq"), time("for"));
                    }
                    default ->
                        throw new IllegalArgumentException("no fault " + kind
                                + "; there are drop, delay, duplicate, reorder, corrupt, starve, unplug, link, crash,"
                                + " power-cycle, kill, lose-wakeup, stall-subscriber");
                };
            } catch (ConfigException bad) {
                throw wrong(keys.root(), kind + ": " + bad.getMessage());
            } catch (IllegalArgumentException bad) {
                throw wrong(keys.root(), kind + ": " + bad.getMessage());
            }
        }

        private Fault packets(Set<String> own, Supplier<PacketAction> action) {
            Set<String> allowed = new LinkedHashSet<>(own);
            allowed.addAll(MATCH_KEYS);
            allowed.addAll(OCCASION_KEYS);
            allowed.addAll(MOMENT_KEYS);
            only(allowed.toArray(String[]::new));
            Moments moments = keys.hasPath("from-time") || keys.hasPath("until-time")
                    ? new Moments(
                            keys.hasPath("from-time") ? time("from-time") : Duration.ZERO,
                            keys.hasPath("until-time") ? time("until-time") : Moments.FOR_EVER)
                    : Moments.ALL;
            return new Fault.OnPackets(match(), occasion(), moments, action.get());
        }

        private PacketMatch match() {
            List<Condition> all = new ArrayList<>();
            when("opcode", () -> all.add(new Condition.OpcodeIn(many("opcode", Opcode.class))));
            when("family", () -> all.add(new Condition.FamilyIn(many("family", Operation.Family.class))));
            when("place", () -> all.add(new Condition.PlaceIn(many("place", Operation.Place.class))));
            when("transport", () -> all.add(new Condition.Transport(one("transport", TransportClass.class))));
            when("says", () -> all.add(new Condition.Says(one("says", Condition.Verdict.class))));
            when("request", () -> all.add(new Condition.Request(keys.getBoolean("request"))));
            when(
                    "psn",
                    () -> all.add(new Condition.PsnBetween(
                            keys.getInt("psn"), keys.getInt(keys.hasPath("psn-last") ? "psn-last" : "psn"))));
            when("from", () -> all.add(new Condition.From(keys.getString("from"))));
            when("to", () -> all.add(new Condition.To(keys.getString("to"))));
            when("from-qp", () -> all.add(new Condition.FromQp(keys.getInt("from-qp"))));
            when("to-qp", () -> all.add(new Condition.ToQp(keys.getInt("to-qp"))));
            when("across", () -> all.add(new Condition.Across(Set.copyOf(keys.getStringList("across")))));
            return new PacketMatch(all);
        }

        private void when(String key, Runnable then) {
            if (keys.hasPath(key)) {
                then.run();
            }
        }

        private Occasion occasion() {
            if (keys.hasPath("nth")) {
                return new Occasion.Nth(keys.getLong("nth"));
            } else if (keys.hasPath("first")) {
                return new Occasion.First(keys.getLong("first"));
            } else if (keys.hasPath("every")) {
                return new Occasion.Every(keys.getLong("every"));
            } else if (keys.hasPath("probability")) {
                return new Occasion.Chance(keys.getDouble("probability"));
            }
            return new Occasion.Always();
        }

        private Victim victim() {
            if (keys.hasPath("qp")) {
                return new Victim.QueuePairOf(adapter(), keys.getInt("qp"));
            } else if (keys.hasPath("cq")) {
                return new Victim.CompletionQueueOf(adapter(), keys.getInt("cq"));
            } else if (keys.hasPath("srq")) {
                return new Victim.SharedReceivesOf(adapter(), keys.getInt("srq"));
            } else if (keys.hasPath("key")) {
                return new Victim.TranslatorOf(adapter(), (int) keys.getLong("key"));
            }
            return new Victim.AdapterItself(adapter());
        }

        private LinkProperties link() {
            LinkProperties ideal = LinkProperties.IDEAL;
            return new LinkProperties(
                    time("latency").toNanos(),
                    keys.hasPath("bits-per-second") ? keys.getLong("bits-per-second") : ideal.bitsPerSecond(),
                    keys.hasPath("mtu-bytes") ? keys.getInt("mtu-bytes") : ideal.mtuBytes(),
                    keys.hasPath("queue-bytes") ? keys.getLong("queue-bytes") : ideal.queueBytes());
        }

        private String adapter() {
            return keys.getString("adapter");
        }

        private Duration time(String key) {
            return keys.hasPath(key) && keys.getString(key).equals("ever") ? Moments.FOR_EVER : keys.getDuration(key);
        }

        private <E extends Enum<E>> E one(String key, Class<E> kind) {
            return named(key, keys.getString(key), kind);
        }

        private <E extends Enum<E>> Set<E> many(String key, Class<E> kind) {
            List<String> names = keys.getValue(key).unwrapped() instanceof List
                    ? keys.getStringList(key)
                    : List.of(keys.getString(key));
            return names.stream().map(name -> named(key, name, kind)).collect(Collectors.toUnmodifiableSet());
        }

        private static <E extends Enum<E>> E named(String key, String name, Class<E> kind) {
            return Arrays.stream(kind.getEnumConstants())
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            key + " = " + name + "; allowed are " + Arrays.toString(kind.getEnumConstants())));
        }

        private void only(String... allowed) {
            for (String key : keys.root().keySet()) {
                if (!Set.of(allowed).contains(key)) {
                    throw new IllegalArgumentException("no key " + key + "; allowed are "
                            + Arrays.stream(allowed).sorted().collect(Collectors.joining(", ")));
                }
            }
        }
    }
}
