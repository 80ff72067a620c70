// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures connected, idle RC queue pairs in a JVM of their own, where nothing else is allocated or freed meanwhile. */
@Tag("nightly")
class IdleQueuePairTest {
    /** Maximum heap of one, with Pekko's part. */
    private static final long MAX_BYTES = 2_560;

    /** Classes created for the first request, its answer and their completions. */
    private static final List<String> MADE_WHEN_NEEDED =
            List.of("adapter.rc.RcRequestExecution", "adapter.rc.RcResponseExecution", "actors.queue.CompletionBatch");

    /** Batches whose median is taken: a one-time allocation or a growing array affects one of them. */
    private static final int BATCHES = 3;

    private static final int PAIRS = 7_000;

    private Process process;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Many.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @Test
    void aConnectedIdleQueuePairIsSmallAndAllocatesLazily() throws IOException {
        List<String> told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(told)
                .as("bytes, what was made while idle, and what one SEND made")
                .hasSize(3);
        assertThat(Long.parseLong(told.get(0))).isBetween(MAX_BYTES / 2, MAX_BYTES);
        assertThat(told.get(1))
                .isEqualTo(
                        "{adapter.rc.RcRequestExecution=0, adapter.rc.RcResponseExecution=0, actors.queue.CompletionBatch=0}");
        assertThat(told.get(2))
                .as("one asks, one answers, and either completes")
                .isEqualTo(
                        "{adapter.rc.RcRequestExecution=1, adapter.rc.RcResponseExecution=1, actors.queue.CompletionBatch=2}");
    }

    /** Prints the bytes of a queue pair, and the number of lazily created objects before and after one SEND. */
    static final class Many {
        private static final int BYTES = 64;

        private Many() {}

        public static void main(String[] none) throws JMException {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                Side left = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", BYTES);
                Side right = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", BYTES);
                CompletionQueue ofLeft = network.await(left.context().createCq(16));
                CompletionQueue ofRight = network.await(right.context().createCq(16));
                List<QpPair<RcQueuePair>> pairs = new ArrayList<>(BATCHES * PAIRS + 1);
                pairs.add(connected(network, left, ofLeft, right, ofRight));
                long[] bytes = new long[BATCHES];
                for (int batch = 0; batch < BATCHES; batch++) {
                    long before = used();
                    for (int i = 0; i < PAIRS; i++) {
                        pairs.add(connected(network, left, ofLeft, right, ofRight));
                    }
                    bytes[batch] = (used() - before) / (2 * PAIRS);
                }
                Arrays.sort(bytes);
                System.out.println(bytes[BATCHES / 2]);
                System.out.println(made());
                send(network, pairs.getLast(), left, right);
                System.out.println(made());
            }
        }

        private static QpPair<RcQueuePair> connected(
                RdmaNetwork network, Side left, CompletionQueue ofLeft, Side right, CompletionQueue ofRight) {
            return network.await(QpPair.connectRc(
                    left.domain(),
                    QpDescription.rc().withSendCq(ofLeft),
                    right.domain(),
                    QpDescription.rc().withSendCq(ofRight)));
        }

        private static void send(RdmaNetwork network, QpPair<RcQueuePair> pair, Side left, Side right) {
            pair.remote().postReceive(Receive.of(1, right.slice(0, BYTES)));
            Status status = network.await(pair.local().submit(Send.of(2, left.slice(0, BYTES))))
                    .status();
            if (status != Status.SUCCESS) {
                throw new IllegalStateException("it ended with " + status);
            }
        }

        private static long used() {
            System.gc();
            return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }

        /** Returns the number of objects of the lazily created classes. */
        private static Map<String, Long> made() throws JMException {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Map<String, Long> counts = new LinkedHashMap<>();
            MADE_WHEN_NEEDED.forEach(name -> counts.put(name, count(histogram, "org.hcaactors." + name)));
            return counts;
        }

        private static long count(String histogram, String name) {
            return histogram
                    .lines()
                    .map(line -> Stream.of(line.strip().split("\\s+")).toList())
                    .filter(columns -> columns.size() > 3 && columns.get(3).equals(name))
                    .mapToLong(columns -> Long.parseLong(columns.get(1)))
                    .sum();
        }
    }
}
