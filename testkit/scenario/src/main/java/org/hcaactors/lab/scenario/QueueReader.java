// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.scenario.Scenario.Stock;

/** Reads the receive queues of a connection, and the queue that a request names. */
final class QueueReader {
    private static final int MAX_QUEUES = 16;
    private static final int MAX_NUMBER = 0xFF_FFFF;

    private QueueReader() {}

    /** True if the second end's queue pair has a shared receive queue. */
    static boolean shared(Section connection, Transport transport) {
        boolean shared = connection.has("shared") && connection.flag("shared");
        if (shared && transport == Transport.XRC) {
            throw connection.wrong(
                    "shared",
                    "not allowed over XRC, where every receive queue is shared; use queues for their number, for example [{}, {}]");
        }
        if (shared && !transport.sharesReceives()) {
            String others = Arrays.stream(Transport.values())
                    .filter(Transport::sharesReceives)
                    .map(Transport::name)
                    .collect(Collectors.joining(" and "));
            throw connection.wrong("shared", transport + " cannot use a shared receive queue; " + others + " can");
        }
        return shared;
    }

    /** Returns one stock of receives; for XRC one for each queue. */
    static List<Stock> stocks(Section connection, Transport transport) {
        Stock plain = stock(connection, new Stock(OptionalInt.empty(), Duration.ZERO));
        if (!connection.has("queues")) {
            return List.of(plain);
        }
        if (transport != Transport.XRC) {
            throw connection.wrong(
                    "queues", "messages over " + transport + " have no queue number; only messages over XRC have one");
        }
        List<Stock> all = new ArrayList<>();
        for (Section each : connection.sections("queues")) {
            each.only("receives", "receives-at");
            all.add(stock(each, plain));
        }
        if (all.isEmpty() || all.size() > MAX_QUEUES) {
            throw connection.wrong(
                    "queues", all.size() + " shared receive queues; 1 to " + MAX_QUEUES + " are allowed");
        }
        return all;
    }

    private static Stock stock(Section keys, Stock usual) {
        return new Stock(
                keys.has("receives")
                        ? OptionalInt.of((int) keys.whole("receives", 0, ScenarioReader.MAX_TIMES))
                        : usual.receives(),
                keys.has("receives-at") ? keys.time("receives-at") : usual.at());
    }

    /** Returns which of the second end's queues a request names, from 0. */
    static int queue(Section job, Line line, boolean fromSecond) {
        if (!job.has("queue")) {
            return 0;
        }
        namesOne(job, "queue", line);
        if (fromSecond) {
            throw job.wrong("queue", line.first() + " has one queue; only " + line.second() + " may have several");
        }
        if (job.has("srq-number")) {
            throw job.wrong("queue", "is given together with srq-number; only one is allowed");
        }
        return (int) job.whole("queue", 1, line.stocks().size()) - 1;
    }

    /** Returns the queue number that a request names, even if no queue has it. */
    static Optional<Integer> srqNumber(Section job, Line line) {
        if (!job.has("srq-number")) {
            return Optional.empty();
        }
        namesOne(job, "srq-number", line);
        return Optional.of((int) job.whole("srq-number", 0, MAX_NUMBER));
    }

    private static void namesOne(Section job, String key, Line line) {
        if (line.transport() != Transport.XRC) {
            throw job.wrong(
                    key,
                    "messages over " + line.transport() + " have no queue number; only messages over XRC have one");
        }
    }
}
