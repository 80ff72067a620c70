// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.scenario.Scenario.Pieces;
import org.hcaactors.lab.scenario.Scenario.Plug;

/** Reads a connection: its two ends, attributes and receives. */
final class ConnectionReader {
    /** Allowed values of {@code type}. */
    static final List<String> TYPES = Stream.concat(
                    Arrays.stream(Transport.values()).map(Transport::name), Stream.of(TaggedReader.TYPE))
            .toList();

    /** Keys of the queues of both kinds of connections. */
    private static final List<String> OF_QUEUES = List.of(
            "receives",
            "receives-at",
            "receive-bytes",
            "shared",
            "limit",
            "cq-entries",
            "polled",
            "polled-at",
            "inline");

    private static final long RECEIVE_BYTES = 64 << 10;

    private final Map<String, Plug> adapters;
    private final FirmwareReader firmware;

    /** @param adapters all adapters, by name */
    ConnectionReader(Map<String, Plug> adapters, FirmwareReader firmware) {
        this.adapters = adapters;
        this.firmware = firmware;
    }

    /** Returns the adapters that an object is {@code between}. */
    List<String> ends(Section keys) {
        List<String> ends = keys.names("between");
        if (ends.size() != 2) {
            throw keys.wrong("between", ends.size() + " adapters; two are required: [a, b]");
        }
        ends.forEach(end -> known(keys, "between", end));
        return ends;
    }

    /** Returns the adapter that a key names. */
    String adapter(Section keys, String key) {
        String name = keys.text(key);
        known(keys, key, name);
        return name;
    }

    private void known(Section where, String key, String adapter) {
        if (!adapters.containsKey(adapter)) {
            throw where.wrong(
                    key, "there is no adapter " + adapter + "; there are " + String.join(", ", adapters.keySet()));
        }
    }

    /** Reads a connection that the program makes by itself. */
    Line wired(String name, Section keys) {
        only(keys, List.of("type", "between"), List.of("pieces", "opened-at", "thread", "queues"));
        List<String> ends = ends(keys);
        Transport transport = Transport.valueOf(keys.word("type", TYPES));
        return line(name, keys, transport, ends, keys.has("opened-at") ? keys.time("opened-at") : Duration.ZERO);
    }

    /**
     * Reads a connection that communication management makes.
     *
     * @param others further keys that are allowed
     */
    Line managed(String name, Section keys, List<String> others) {
        only(keys, List.of("from", "to", "at"), others);
        List<String> ends = List.of(adapter(keys, "from"), adapter(keys, "to"));
        return line(name, keys, Transport.RC, ends, keys.has("at") ? keys.time("at") : Duration.ZERO);
    }

    /** Refuses keys other than these, those of queues, and those of terms. */
    private static void only(Section keys, List<String> before, List<String> behind) {
        keys.only(TermsReader.keysAnd(
                Stream.of(before, OF_QUEUES, behind).flatMap(List::stream).toArray(String[]::new)));
    }

    private Line line(String name, Section keys, Transport transport, List<String> ends, Duration openedAt) {
        return new Line(
                name,
                openedAt,
                transport,
                ends.get(0),
                ends.get(1),
                TermsReader.attributes(keys),
                QueueReader.stocks(keys, transport),
                keys.has("receive-bytes") ? keys.bytes("receive-bytes", 0, Scenario.MAX_BYTES) : RECEIVE_BYTES,
                QueueReader.shared(keys, transport),
                keys.has("limit") ? TermsReader.number(keys, "limit", 0, ScenarioReader.MAX_TIMES) : 0,
                keys.has("cq-entries")
                        ? OptionalInt.of(TermsReader.number(keys, "cq-entries", 1, 65_535))
                        : OptionalInt.empty(),
                !keys.has("polled") || keys.flag("polled"),
                keys.has("polled-at") ? keys.time("polled-at") : Duration.ZERO,
                keys.has("inline") && keys.flag("inline"),
                keys.has("pieces") ? Optional.of(pieces(keys, transport, ends.get(1))) : Optional.empty(),
                ThreadReader.read(keys, firmware.at(ends.get(1), openedAt)));
    }

    private Pieces pieces(Section keys, Transport transport, String second) {
        IndirectKeyCapabilities keysOf = Optional.ofNullable(adapters.get(second))
                .map(plug -> plug.profile().indirectKeys())
                .orElse(IndirectKeyCapabilities.NONE);
        if (transport != Transport.RC || !keysOf.isSupported()) {
            throw keys.wrong("pieces", "requires transport RC and an adapter that supports indirect keys");
        }
        Section pieces = keys.section("pieces");
        pieces.only("bytes", "stride");
        int bytes = (int) pieces.bytes("bytes", 1, keysOf.maxStrideBytes());
        return new Pieces(bytes, (int) pieces.bytes("stride", bytes, keysOf.maxStrideBytes()));
    }
}
