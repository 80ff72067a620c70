// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of libfabric: its reliable datagrams over UD. All else of its provider for verbs wants rdma_cm. */
class LibfabricTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void areThere() {
        VerbsFolder.require("fi_pingpong", "libfabric-bin");
    }

    /** The server and the client have different options for the port. */
    private static ProgramPair pingPong(String options, Map<String, String> environment)
            throws IOException, InterruptedException {
        String port = Integer.toString(ProgramPair.freePort());
        List<String> line = new ArrayList<>(List.of("fi_pingpong", "-p", "verbs;ofi_rxd", "-e", "rdm", "-c"));
        line.addAll(List.of(options.split(" ")));
        List<String> server = new ArrayList<>(line);
        server.addAll(List.of("-B", port));
        line.addAll(List.of("-P", port, "127.0.0.1"));
        return ProgramPair.run(environment, server, Integer.parseInt(port), line);
    }

    private static void assertAnswered(ProgramPair pair, int messages) {
        pair.assertDone();
        assertThat(pair.client().output()).contains("=" + messages);
    }

    @Test
    @Tag("judge")
    void theAdapterIsADomainOfDatagrams() throws IOException, InterruptedException {
        List<String> command = List.of("fi_info", "-p", "verbs", "-t", "FI_EP_DGRAM");
        try (Started program = Started.of(VerbsFolder.address(), Map.of(), command)) {
            String output = program.end().assertDone().output();
            assertThat(output).contains("domain: " + VerbsFolder.DEVICE + "-dgram", "protocol: FI_PROTO_IB_UD");
        }
    }

    @Test
    @Tag("judge")
    void aReliableDatagramComesBack() throws IOException, InterruptedException {
        assertAnswered(pingPong("-I 50 -S 1024", Map.of()), 50);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"-S 64", "-S 4096", "-S 65536", "-S 65536 -m tagged"})
    void messagesOfEachKindComeBack(String options) throws IOException, InterruptedException {
        assertAnswered(pingPong("-I 50 " + options, Map.of()), 50);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"-S 1024", "-S 65536"})
    void messagesSurviveALossOfOnePercent(String options) throws IOException, InterruptedException {
        assertAnswered(pingPong("-I 200 " + options, PlanFile.loss(folder)), 200);
    }
}
