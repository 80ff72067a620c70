// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code hca gateway} and {@code hca pingpong --via} that are refused before anything is opened. */
class CableRefusalsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "gateway | --local is required",
                "gateway --local 127.0.0.2 | --serve is required: pingpong",
                "gateway --local 127.0.0.2 --serve nothing | --serve",
                "gateway --local localhost --serve pingpong | 'localhost' is no IP address",
                "gateway --local 127.0.0.999 --serve pingpong | '127.0.0.999' is no IP address",
                "gateway --local 127.0.0.2 --serve pingpong | --peer is required",
                "gateway --local 127.0.0.2 --peer 127.0.0.2 --serve pingpong | 127.0.0.2 is both --local and --peer",
                "gateway --local ::1 --peer 127.0.0.3 --serve pingpong | only IPv4 is allowed",
                "gateway --local 10.1.2.3 --peer 127.0.0.3 --serve pingpong | --beyond-loopback allows it",
                "gateway --local 127.0.0.2 --peer 10.1.2.3 --serve pingpong | 10.1.2.3 is no loopback address",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --transport dc | rc, uc and ud are allowed",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --for soon | 'soon' is no time",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve rping --listen 0 | a port from 1 to 65535",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest | --serve perftest requires --test, and nothing else does",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve rping --test send_bw | --serve perftest requires --test",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test all | --test is all; send_bw, send_lat,",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw -n 3 | omit --iters",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw --transport ud | requires --test send_bw or send_lat",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw --mtu 700 | 256, 512, 1024, 2048 and 4096 are allowed",
                "pingpong --via 127.0.0.2 | requires either --connect, to be the client, or --listen, to be the server",
                "pingpong --via 127.0.0.2 --connect a --listen 1 | requires either --connect",
                "pingpong --connect 127.0.0.2 | --connect, --listen, --peer, --faults, --capture and --report require --via",
                "pingpong --peer 127.0.0.2 | --connect, --listen, --peer, --faults, --capture and --report require --via",
                "pingpong --faults nothing.conf | --faults, --capture and --report require --via",
                "pingpong --report | --faults, --capture and --report require --via",
                "pingpong --via 127.0.0.2 --peer 127.0.0.3 --connect a --faults nothing.conf | cannot read nothing.conf",
                "pingpong --via 127.0.0.2 --connect 127.0.0.3 | --peer is required",
                "pingpong --via 127.0.0.2 --connect a --seed 1 | omit --seed or --via",
                "pingpong --via 127.0.0.2 --connect a --transport dc | with --via rc, uc and ud are allowed"
            })
    void badOptionsAreOneClearLineAndStatusTwo(String line, String told) {
        CommandRun run = CommandRun.of(line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("hca: ").contains(told);
    }
}
