// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output and files of {@code hca demo}. */
class DemoTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theDemoSucceedsAndReportsItsSteps(@TempDir Path folder) throws IOException {
        CommandRun text = CommandRun.of("demo", "--out", folder.toString());
        assertThat(text.status()).isZero();
        assertThat(text.out())
                .contains(
                        "WRITE_MIDDLE psn 113",
                        "dropped by \"drop the 1st RC_WRITE_MIDDLE\"",
                        "RNR 0.03 ms",
                        "REM_ACCESS_ERR",
                        "hca explain and hca flow: " + folder.resolve("trace.rlog"))
                .containsSubsequence("-- WRITE to a reregistered region", "is reregistered: 8192 bytes", "posts 301")
                .containsSubsequence(
                        "-- WRITE to on-demand pages that are absent",
                        "can't proceed: the page at",
                        "RNR 1.28 ms",
                        "2 pages of key",
                        "goes back to psn",
                        "-- WRITE to the same pages, now present",
                        "-- READ into on-demand pages that are absent",
                        "ignores READ_RESPONSE",
                        "the page of the response is present",
                        "-- 1 MiB, with bob's memory fragmented",
                        "uses 32 CONTIG pages of 32 KiB",
                        "ENOMEM for app",
                        "-- buffer of the receive before bob polls",
                        "-- buffer of the receive after bob has polled",
                        "13 bytes copied to",
                        "alice                                               carol\n",
                        "alice                                               dave                      dave's host\n",
                        "! set IBM_AS_NOTIFY_EN=True(1), effective after the next start",
                        "event DEVICE_FATAL of 0: its slot was power-cycled",
                        "-- SEND that wakes dave's thread",
                        "▶ waiter1, which waits",
                        "✗ MSI fallback, the host's notify unit is off",
                        "-- explanation of this wait\ndave/cq",
                        " holds 1 unpolled completion\n",
                        "it must poll once more after it arms\n  because dave/waiter1 has waited since ",
                        "-- SEND behind a SEND to an empty queue",
                        "can't proceed: its shared receive queue is empty",
                        "can't proceed: its XRC domain has no shared receive queue 99",
                        "fetches 6000 bytes for receive 3 by itself",
                        "a message matched before the deletion")
                .doesNotContain("EXPECTED", "RESET to INIT");
        JsonNode json = JSON.readTree(
                CommandRun.of("demo", "--json", "--out", folder.toString()).out());
        assertThat(json.get("steps")).hasSize(71);
        for (JsonNode step : json.get("steps")) {
            assertThat(step.get("got")).isEqualTo(step.get("expected"));
        }
        assertThat(json.at("/counters/alice/packet_seq_err").asInt()).isEqualTo(1);
        assertAllPacketsAreReadBackWithTheirIcrc(folder);
    }

    private static void assertAllPacketsAreReadBackWithTheirIcrc(Path folder) throws IOException {
        int packets = 0;
        try (CaptureReader reader = CaptureReader.open(folder.resolve("packets.pcapng"))) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame frame = next.get();
                packets++;
                assertThat(FrameDecoder.decode(frame.bytes().toArray(), LinkLayer.ETHERNET))
                        .isInstanceOfSatisfying(
                                Decoded.Frame.class,
                                d -> assertThat(d.frame().icrcOk()).isTrue());
                assertThat(frame.comments().getFirst()).startsWith("event ");
            }
        }
        assertThat(packets).as("180 sent, 177 delivered").isEqualTo(357);
    }
}
