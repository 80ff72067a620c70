// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.hcaactors.actors.flight.FlightSink;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.micrometer.AdapterMeters;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service on real threads with Prometheus meters and a flight recording, while the network loses packets. */
class WatchedServiceTest {
    private static final Path PAGE = Path.of("../../docs/guide/operations.md");
    private static final int WRITES = 16;
    private static final int BYTES = 4096;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @TempDir
    Path folder;

    /** Scraped while the service runs: meters do not keep adapters alive, and report nothing once an adapter is gone. */
    private String scrape = "";

    /** The service's setup. */
    private void service() throws IOException {
        // Guide begins
        try (FlightSink flight = FlightSink.open();
                RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(flight))) {
            Adapter here = network.addAdapter("mlx5_0", Profile.CONNECTX_5);
            Adapter there = network.addAdapter("mlx5_1", Profile.CONNECTX_5);
            network.adapters().forEach(adapter -> new AdapterMeters(adapter).bindTo(registry));
            // Guide pauses
            serve(network, here, there);
            // Guide continues
        }
        // Guide ends
    }

    private void serve(RdmaNetwork network, Adapter here, Adapter there) {
        HostProcess app = here.process("app");
        HostProcess store = there.process("store");
        ProtectionDomain from = app.open().allocatePd();
        ProtectionDomain to = store.open().allocatePd();
        MemoryRegion source = network.await(from.register(app.allocate(BYTES), LOCAL_WRITE));
        MemoryRegion target = network.await(to.register(store.allocate(BYTES), LOCAL_WRITE, REMOTE_WRITE));
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(from, to));
        network.intercept(losingEvery(11));
        for (int i = 0; i < WRITES; i++) {
            network.await(pair.local().submit(RdmaWrite.of(i, source.slice(0, BYTES), target.remote(0))));
        }
        scrape = registry.scrape();
    }

    private static Interceptor losingEvery(int packets) {
        int[] seen = {0};
        return transit -> transit.packet().operation().isWrite() && ++seen[0] % packets == 0
                ? new Verdict.Drop("a bad cable")
                : Verdict.PASS;
    }

    private static Recording recording() {
        Recording recording = new Recording();
        recording.enable("org.hcaactors.Request").withThreshold(Duration.ZERO);
        recording.start();
        return recording;
    }

    private static long count(List<RecordedEvent> events, String kind) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("org.hcaactors." + kind))
                .count();
    }

    private double scraped(String line) {
        return scrape.lines()
                .filter(each -> each.startsWith(line + " "))
                .mapToDouble(each -> Double.parseDouble(each.substring(line.length() + 1)))
                .sum();
    }

    @Test
    void metersAndRecordingTellTheSameOfWhatTheWireLost() throws IOException {
        Path file = folder.resolve("service.jfr");
        try (Recording recording = recording()) {
            service();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(count(events, "Request")).isEqualTo(WRITES);
        assertThat(count(events, "PacketLost")).isPositive();
        assertThat(count(events, "Retransmission"))
                .isPositive()
                .as("a repeated NAK counts and causes no retransmission")
                .isLessThanOrEqualTo((long) (scraped("rdma_packet_seq_err_total{device=\"mlx5_0\",port=\"1\"}")
                        + scraped("rdma_local_ack_timeout_err_total{device=\"mlx5_0\",port=\"1\"}")));
        assertThat(scraped("rdma_rx_write_requests_total{device=\"mlx5_1\",port=\"1\"}"))
                .isGreaterThanOrEqualTo(WRITES);
    }

    @Test
    void theNamesOnThePageAreThoseThatAreScraped() throws IOException {
        service();
        Set<String> scraped = names("rdma_\\w+(?=\\{)", scrape);
        assertThat(scraped).hasSize(44);
        assertThat(names("rdma_\\w+", Files.readString(PAGE))).isNotEmpty().isSubsetOf(scraped);
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    @Test
    void thePageShowsTheCompiledSample() throws IOException {
        String source = Files.readString(Path.of("src/test/java/org/hcaactors/samples/WatchedServiceTest.java"));
        Matcher parts = Pattern.compile(
                        "// Guide (?:begins|continues)\n(.*?)// Guide (?:pauses|ends)\n", Pattern.DOTALL)
                .matcher(source);
        List<String> shown =
                parts.results().map(part -> squeezed(part.group(1))).toList();
        assertThat(shown).hasSize(2);
        assertThat(squeezed(Files.readString(PAGE))).contains(shown);
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
