// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Scenario.Turn;
import org.hcaactors.lab.scenario.Scenario.WokenThread;

/** Reads the thread of a connection that the second end's completion queue wakes. */
final class ThreadReader {
    private static final int MAX_TURNS = 8;
    private static final List<Turn> LOSES_NOTHING = List.of(Turn.ARM, Turn.POLL, Turn.WAIT);

    private ThreadReader() {}

    /** @param second capabilities of the second end's adapter when the connection is opened */
    static Optional<WokenThread> read(Section connection, Profile second) {
        if (!connection.has("thread")) {
            return Optional.empty();
        }
        for (String other : List.of("polled", "polled-at")) {
            if (connection.has(other)) {
                throw connection.wrong(
                        other, "is given together with thread, which polls when it is woken; only one is allowed");
            }
        }
        if (!second.platform().has(PlatformCapabilities.Feature.AS_NOTIFY)) {
            throw connection.wrong(
                    "thread",
                    "requires AS-notify at the second adapter when the connection is opened: a connectx5-ibm that has started with"
                            + " firmware { IBM_AS_NOTIFY_EN = true }");
        }
        Section keys = connection.section("thread");
        keys.only("does", "pace", "at");
        return Optional.of(new WokenThread(
                keys.has("does") ? turns(keys) : LOSES_NOTHING,
                keys.has("pace") ? keys.time("pace") : Duration.ZERO,
                keys.has("at") ? keys.time("at") : Duration.ZERO));
    }

    private static List<Turn> turns(Section keys) {
        List<Turn> turns = keys.names("does").stream()
                .map(word -> keys.named("does", word, Turn.class))
                .toList();
        if (!turns.contains(Turn.WAIT)) {
            throw keys.wrong("does", "has no wait; at least one is required, for example [arm, poll, wait]");
        }
        if (turns.size() > MAX_TURNS) {
            throw keys.wrong("does", turns.size() + " steps; at most " + MAX_TURNS + " are allowed");
        }
        return turns;
    }
}
