// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Scenario.Line;

/** Reads listeners, and connections by communication management. */
final class ManagedReader {
    private static final int MAX_LISTENERS = 64;
    private static final int MAX_CONNECTS = 256;
    private static final int MAX_PORT = 0xFFFF;
    private static final int MAX_BACKLOG = 65_536;
    private static final int BACKLOG = 16;

    private final Section file;
    private final ConnectionReader connections;

    ManagedReader(Section file, ConnectionReader connections) {
        this.file = file;
        this.connections = connections;
    }

    List<Listening> listeners() {
        List<Listening> all = new ArrayList<>();
        for (Section one : file.sections("listen")) {
            one.only("on", "port", "backlog", "answer", "at", "answers-at", "closed-at");
            if (all.size() == MAX_LISTENERS) {
                throw one.wrong("listen has more than " + MAX_LISTENERS + " entries, the maximum");
            }
            Duration at = one.has("at") ? one.time("at") : Duration.ZERO;
            all.add(new Listening(
                    connections.adapter(one, "on"),
                    port(one),
                    one.has("backlog") ? TermsReader.number(one, "backlog", 1, MAX_BACKLOG) : BACKLOG,
                    one.has("answer") ? one.one("answer", Listening.Answer.class) : Listening.Answer.ACCEPT,
                    at,
                    one.has("answers-at") ? notBefore(at, one, "answers-at") : at,
                    one.has("closed-at") ? Optional.of(notBefore(at, one, "closed-at")) : Optional.empty()));
        }
        return all;
    }

    private static Duration notBefore(Duration begin, Section keys, String key) {
        Duration time = keys.time(key);
        if (time.compareTo(begin) < 0) {
            throw keys.wrong(key, "is before the entry's at, " + begin.toNanos() + " ns");
        }
        return time;
    }

    private static int port(Section keys) {
        return TermsReader.number(keys, "port", 1, MAX_PORT);
    }

    List<Connecting> connects() {
        List<Connecting> all = new ArrayList<>();
        Section entries = file.section("connect");
        if (entries.keys().isEmpty()) {
            throw file.wrong("connect", "is empty; at least one connection is required");
        }
        if (entries.keys().size() > MAX_CONNECTS) {
            throw file.wrong("connect", "has more than " + MAX_CONNECTS + " entries, the maximum");
        }
        for (String name : entries.keys()) {
            // The request carries the name, by which its second end is known.
            if (name.getBytes(StandardCharsets.UTF_8).length > ConnectionDescription.MAX_REQUEST_DATA) {
                throw entries.wrong(
                        name,
                        "the name has more than " + ConnectionDescription.MAX_REQUEST_DATA + " bytes, the maximum");
            }
            Section one = entries.section(name);
            Line line = connections.managed(name, one, List.of("port", "closed-at", "closed-by"));
            all.add(new Connecting(line, port(one), close(one, line)));
        }
        return all;
    }

    private static Optional<Connecting.Close> close(Section keys, Line line) {
        if (!keys.has("closed-at")) {
            if (keys.has("closed-by")) {
                throw keys.wrong("closed-by", "has an effect only with closed-at, which is required");
            }
            return Optional.empty();
        }
        String by = keys.has("closed-by") ? keys.text("closed-by") : line.first();
        if (!by.equals(line.first()) && !by.equals(line.second())) {
            throw keys.wrong(
                    "closed-by",
                    by + " is not connected by " + line.name() + "; " + line.first() + " and " + line.second()
                            + " are allowed");
        }
        return Optional.of(
                new Connecting.Close(notBefore(line.openedAt(), keys, "closed-at"), !by.equals(line.first())));
    }
}
