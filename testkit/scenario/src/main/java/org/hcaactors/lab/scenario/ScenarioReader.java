// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.scenario.Scenario.Plug;
import org.hcaactors.lab.scenario.Scenario.Rework;
import org.hcaactors.lab.scenario.Scenario.Verb;
import org.hcaactors.lab.world.World;

/** Reads a scenario, and refuses invalid ones before anything runs. */
final class ScenarioReader {
    private static final int MAX_ADAPTERS = 16;
    static final int MAX_TIMES = 2048;

    private static final Duration MAX_LATENCY = Duration.ofNanos(LinkProperties.MAX_LATENCY_NANOS);
    private static final int MAX_CHANGES = 64;

    private final Section file;
    private final FirmwareReader firmware;
    private final Map<String, Plug> adapters = new LinkedHashMap<>();
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final TaggedReader tagged = new TaggedReader(adapters);
    private final ConnectionReader connections;
    private final ManagedReader managed;

    ScenarioReader(Section file) {
        this.file = file;
        firmware = new FirmwareReader(file);
        connections = new ConnectionReader(adapters, firmware);
        managed = new ManagedReader(file, connections);
    }

    Scenario read() {
        file.only(
                "title",
                "about",
                "adapters",
                "verbs-take-time",
                "link",
                "objects",
                "listen",
                "connect",
                "traffic",
                "changes",
                "firmware",
                "faults",
                "expect");
        String title = file.text("title");
        String about = file.has("about") ? file.text("about").strip() : "";
        boolean verbsTakeTime = file.has("verbs-take-time") && file.flag("verbs-take-time");
        adapters(verbsTakeTime);
        LinkProperties link = file.has("link") ? link(file.section("link")) : World.DEFAULT_LINK;
        List<FirmwareStep> upkeep = firmware.read(adapters);
        objects();
        List<Listening> listeners = file.has("listen") ? managed.listeners() : List.of();
        List<Connecting> connects = connects();
        List<Job> traffic = file.has("traffic") || connects.isEmpty() ? traffic() : List.of();
        FaultPlan faults = file.has("faults") ? FaultPlan.of(file) : FaultPlan.NONE;
        new FaultNames(file, adapters.keySet(), threads()).check(faults);
        List<Expectation> expectations =
                file.has("expect") ? new ExpectationReader(file, adapters.keySet(), names(connects)).read() : List.of();
        return new Scenario(
                title,
                about,
                List.copyOf(adapters.values()),
                verbsTakeTime,
                link,
                lines.values().stream()
                        .filter(line -> !names(connects).contains(line.name()))
                        .toList(),
                listeners,
                connects,
                traffic,
                file.has("changes") ? changes() : List.of(),
                upkeep,
                List.copyOf(tagged.lines().values()),
                tagged.steps(),
                faults,
                expectations);
    }

    private Map<String, Long> threads() {
        return lines.values().stream()
                .filter(line -> line.thread().isPresent())
                .collect(Collectors.groupingBy(Line::second, Collectors.counting()));
    }

    private void adapters(boolean verbsTakeTime) {
        Section all = file.section("adapters");
        if (all.keys().isEmpty() || all.keys().size() > MAX_ADAPTERS) {
            throw file.wrong("adapters", all.keys().size() + " adapters; 1 to " + MAX_ADAPTERS + " are allowed");
        }
        for (String name : all.keys()) {
            adapters.put(name, AdapterReader.read(name, all.section(name), verbsTakeTime));
        }
    }

    private static LinkProperties link(Section link) {
        link.only("latency", "bandwidth", "mtu", "queue");
        LinkProperties base = World.DEFAULT_LINK;
        return new LinkProperties(
                link.has("latency") ? link.time("latency", MAX_LATENCY).toNanos() : base.latencyNanos(),
                link.has("bandwidth") ? link.rate("bandwidth") : base.bitsPerSecond(),
                link.has("mtu") ? (int) link.bytes("mtu", 256, 65_536) : base.mtuBytes(),
                link.has("queue") ? link.bytes("queue", 1, 1L << 40) : base.queueBytes());
    }

    /** Connections by communication management alone are enough. */
    private void objects() {
        if (file.has("connect") && !file.has("objects")) {
            return;
        }
        Section all = file.section("objects");
        if (all.keys().isEmpty()) {
            throw file.wrong("objects", "is empty; at least one connection is required");
        }
        for (String name : all.keys()) {
            object(name, all.section(name));
        }
    }

    private void object(String name, Section keys) {
        if (keys.has("type") && keys.word("type", ConnectionReader.TYPES).equals(TaggedReader.TYPE)) {
            tagged.line(name, keys, connections.ends(keys));
        } else {
            lines.put(name, connections.wired(name, keys));
        }
    }

    /** Reads connections by communication management, which carry traffic like others. */
    private List<Connecting> connects() {
        List<Connecting> all = file.has("connect") ? managed.connects() : List.of();
        Section keys = all.isEmpty() ? file : file.section("connect");
        for (Connecting each : all) {
            String name = each.line().name();
            if (lines.containsKey(name) || tagged.lines().containsKey(name)) {
                throw keys.wrong(name, "an object has this name; names must be unique");
            }
            lines.put(name, each.line());
        }
        return all;
    }

    private static Set<String> names(List<Connecting> connects) {
        return connects.stream().map(each -> each.line().name()).collect(Collectors.toSet());
    }

    /** Reads the traffic; the reader of tagged messages keeps its own steps. */
    private List<Job> traffic() {
        List<Job> jobs = new ArrayList<>();
        int requests = 0;
        long bytes = 0;
        for (Section one : file.sections("traffic")) {
            if (one.has("on") && tagged.lines().containsKey(one.text("on"))) {
                TaggedStep step = tagged.step(one);
                requests += step.times();
                bytes += (long) step.times() * step.bytes();
            } else {
                Job job = job(one);
                requests += job.times();
                bytes += job.times() * job.bytes();
                windowIsThere(one, job, jobs);
                jobs.add(job);
            }
            if (requests > Scenario.MAX_REQUESTS) {
                throw one.wrong("the traffic has more than " + Scenario.MAX_REQUESTS + " requests in all, the maximum");
            }
            if (bytes > Scenario.MAX_BYTES_TOGETHER) {
                throw one.wrong(
                        "the traffic has more than " + Scenario.MAX_BYTES_TOGETHER + " bytes in all, the maximum");
            }
        }
        return jobs;
    }

    /** Checks that an earlier entry binds the window that this one names. */
    private static void windowIsThere(Section keys, Job job, List<Job> before) {
        boolean ofPeer = job.window() || job.verb() == Verb.SEND_WITH_INVALIDATE;
        boolean binder = job.verb() == Verb.INVALIDATE ? job.fromSecond() : !job.fromSecond();
        boolean bound = before.stream()
                .anyMatch(other ->
                        other.line().equals(job.line()) && other.verb() == Verb.BIND && other.fromSecond() == binder);
        if ((ofPeer || job.verb() == Verb.INVALIDATE) && !bound) {
            String end = binder ? job.line().second() : job.line().first();
            throw keys.wrong("uses a window of " + end + ", but no earlier entry binds a window there");
        }
    }

    private Job job(Section keys) {
        Map<Verb, String> verbs = new EnumMap<>(Verb.class);
        for (Verb verb : Verb.values()) {
            if (keys.has(verb.word())) {
                verbs.put(verb, verb.word());
            }
        }
        keys.only(
                "on",
                "from",
                "times",
                "offset",
                "at",
                "wait",
                "rkey",
                "write",
                "write-with-immediate",
                "read",
                "send",
                "fetch-add",
                "compare-swap",
                "masked-add",
                "masked-swap",
                "send-with-invalidate",
                "bind",
                "invalidate",
                "window",
                "queue",
                "srq-number",
                "access-key");
        if (verbs.size() != 1) {
            throw keys.wrong(
                    verbs.isEmpty()
                            ? "has no action; one of " + words() + " is needed"
                            : "has the actions " + String.join(" and ", verbs.values()) + "; only one is allowed");
        }
        Line line = on(keys);
        Map.Entry<Verb, String> verb = verbs.entrySet().iterator().next();
        carries(keys, line, verb.getKey(), verb.getValue());
        long bytes = bytes(keys, line, verb.getKey());
        if (verb.getKey().isMasked() && bytes != Integer.BYTES && bytes != Long.BYTES) {
            throw keys.wrong(verb.getValue() + " = " + bytes + "; 4 and 8 bytes are allowed");
        }
        boolean fromSecond = !end(keys, "from", line).equals(line.first());
        return new Job(
                line,
                fromSecond,
                verb.getKey(),
                bytes,
                keys.has("times") ? TermsReader.number(keys, "times", 1, MAX_TIMES) : 1,
                keys.has("offset") ? keys.bytes("offset", 0, Scenario.MAX_BYTES) : 0,
                time(keys, line),
                keys.has("wait") && keys.flag("wait"),
                keys.has("rkey") ? Optional.of((int) keys.whole("rkey", 0, 0xFFFF_FFFFL)) : Optional.empty(),
                keys.has("window") && keys.flag("window"),
                QueueReader.queue(keys, line, fromSecond),
                QueueReader.srqNumber(keys, line),
                accessKey(keys, line));
    }

    private static long bytes(Section keys, Line line, Verb verb) {
        if (verb == Verb.FETCH_ADD || verb == Verb.COMPARE_SWAP) {
            return Long.BYTES;
        }
        long max = Math.min(line.transport().maxBytes(), Scenario.MAX_BYTES);
        return verb == Verb.INVALIDATE ? 0 : keys.bytes(verb.word(), 0, max);
    }

    private static Optional<Long> accessKey(Section keys, Line line) {
        if (!keys.has("access-key")) {
            return Optional.empty();
        }
        if (line.transport() != Transport.DC) {
            throw keys.wrong("access-key", line.transport() + " has no access key; only DC targets have one");
        }
        return Optional.of(keys.whole("access-key", 0, Long.MAX_VALUE));
    }

    private static String words() {
        return Arrays.stream(Verb.values()).map(Verb::word).collect(Collectors.joining(", "));
    }

    private List<Rework> changes() {
        List<Rework> all = new ArrayList<>();
        for (Section one : file.sections("changes")) {
            one.only("on", "of", "at", "access", "other-memory", "allocated", "on-demand");
            Line line = on(one);
            boolean allocates = one.has("allocated") && one.flag("allocated");
            boolean moves = allocates || one.has("other-memory") && one.flag("other-memory");
            boolean onDemand = one.has("on-demand") && one.flag("on-demand");
            if (!moves && !onDemand && !one.has("access")) {
                throw one.wrong(
                        "changes no attribute; access, other-memory = true, allocated = true or on-demand = true is needed");
            }
            if (onDemand && allocates) {
                throw one.wrong(
                        "has on-demand = true and allocated = true; only one is allowed, because allocated memory is pinned");
            }
            if (all.size() == MAX_CHANGES) {
                throw one.wrong("changes has more than " + MAX_CHANGES + " entries, the maximum");
            }
            all.add(new Rework(
                    line,
                    !end(one, "of", line).equals(line.first()),
                    time(one, line),
                    one.has("access") ? Optional.of(TermsReader.rights(one)) : Optional.empty(),
                    moves,
                    allocates,
                    onDemand));
        }
        return all;
    }

    /** Returns the time of an entry; by default when its connection is opened. */
    private static Duration time(Section keys, Line line) {
        Duration at = keys.has("at") ? keys.time("at") : line.openedAt();
        if (at.compareTo(line.openedAt()) < 0) {
            throw keys.wrong(
                    "at",
                    line.name() + " is opened later, at " + line.openedAt().toNanos() + " ns");
        }
        return at;
    }

    /** Returns the adapter of an entry; by default the first end. */
    private static String end(Section keys, String key, Line line) {
        String end = keys.has(key) ? keys.text(key) : line.first();
        if (!end.equals(line.first()) && !end.equals(line.second())) {
            throw keys.wrong(
                    key,
                    end + " is not connected by " + line.name() + "; " + line.first() + " and " + line.second()
                            + " are allowed");
        }
        return end;
    }

    private Line on(Section keys) {
        String name = keys.text("on");
        Line line = lines.get(name);
        if (tagged.lines().containsKey(name)) {
            throw keys.wrong(
                    "on", name + " carries tagged messages; changes are allowed only to objects of another type");
        }
        if (line == null) {
            String names = Stream.concat(lines.keySet().stream(), tagged.lines().keySet().stream())
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw keys.wrong("on", "there is no object " + name + "; there are " + names);
        }
        return line;
    }

    private static void carries(Section keys, Line line, Verb verb, String key) {
        if (!verb.isCarriedBy(line.transport())) {
            String allowed = Arrays.stream(Verb.values())
                    .filter(known -> known.isCarriedBy(line.transport()))
                    .map(Verb::word)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw keys.wrong(key, line.transport() + " does not support this operation; allowed are " + allowed);
        }
    }
}
