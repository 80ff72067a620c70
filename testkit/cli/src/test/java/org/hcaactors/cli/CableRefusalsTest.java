// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code hca gateway}, {@code hca pingpong --via} and {@code hca perf --via} that are refused in one line. */
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
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --transport dc | rc, uc and ud are allowed, and srq with --serve pingpong",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test send_bw --transport srq | --transport is srq; rc, uc and ud are allowed",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --for soon | 'soon' is no time",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve rping --listen 0 | a port from 1 to 65535",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest | --serve perftest requires --test, and nothing else does",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve rping --test send_bw | --serve perftest requires --test",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test all | --test is all; send_bw, send_lat,",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw -n 3 | omit --iters",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw --transport ud | requires --test send_bw or send_lat",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test read_bw --mtu 700 | 256, 512, 1024, 2048 and 4096 are allowed",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --rdma-cm | --rdma-cm requires --serve perftest and --transport rc",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve ucmatose --listen 0 | a port from 1 to 65535",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve ucmatose -s 0 | ucmatose allows 1 to 1024 messages of 1 to 65536 bytes",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve ucmatose -n 1025 | --iters is 1025, --size 100",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve nvme-probe -s 4096 | omit --size and --iters",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve perftest --test send_bw -R --listen 0 | nvme-probe and --rdma-cm require a port from 1 to 65535"
            })
    void badOptionsOfTheGatewayAreOneClearLine(String line, String told) {
        assertRefused(line, told);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "gateway --between 127.0.0.3 | --between",
                "gateway --between 127.0.0.3 127.0.0.4 | --between requires two hosts, and two addresses of --local",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 | two addresses of --local: the one that host A takes for that of B",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.4 | an address is named twice by --between and --local",
                "gateway --between 127.0.0.3 10.0.0.1 --local 127.0.0.5 127.0.0.6 | 10.0.0.1 is no loopback address",
                "gateway --between 127.0.0.3 ::1 --local 127.0.0.5 127.0.0.6 | only IPv4 is allowed",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --cable frames:1:2 | omit --between or --cable",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --serve rping | omit --between, or --serve, --test",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --peer 127.0.0.3 | omit --between, or --serve, --test",
                "gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --faults nothing.conf | cannot read nothing.conf",
                "gateway --local 127.0.0.2 127.0.0.4 --peer 127.0.0.3 --serve pingpong | --local has two addresses; without --between one is allowed",
                "gateway --local 127.0.0.2 --peer 127.0.0.3 --serve pingpong --forward 18515 | --forward requires --between"
            })
    void badOptionsOfAGatewayBetweenHostsAreOneClearLine(String line, String told) {
        assertRefused(line, told);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "pingpong --via 127.0.0.2 | requires either --connect, to be the client, or --listen, to be the server",
                "pingpong --via 127.0.0.2 --connect a --listen 1 | requires either --connect",
                "pingpong --connect 127.0.0.2 | --connect, --listen, --peer, --faults, --capture, --record and --report require --via",
                "pingpong --peer 127.0.0.2 | --connect, --listen, --peer, --faults, --capture, --record and --report require --via",
                "pingpong --faults nothing.conf | --faults, --capture, --record and --report require --via",
                "pingpong --report | --faults, --capture, --record and --report require --via",
                "pingpong --via 127.0.0.2 --peer 127.0.0.3 --connect a --faults nothing.conf | cannot read nothing.conf",
                "pingpong --via 127.0.0.2 --connect 127.0.0.3 | --peer is required",
                "pingpong --via 127.0.0.2 --connect a --seed 1 | omit --seed or --via",
                "perf send_bw -R | --rdma-cm requires --via and --connect",
                "perf send_bw -R --via 127.0.0.2 --listen 1 | --rdma-cm requires --via and --connect; its server is hca gateway",
                "perf send_bw -R --via 127.0.0.2 --connect a --transport ud | with --rdma-cm only rc is allowed",
                "perf send_bw --connect 127.0.0.2 | --record and --report require --via",
                "perf send_bw --via 127.0.0.2 | requires either --connect, to be the client, or --listen, to be the server",
                "perf send_bw --via 127.0.0.2 --connect a --transport srq | with --via rc, uc and ud are allowed",
                "perf send_bw --via 127.0.0.2 --connect a -w 5 | omit --warm-up and --on-adapter-thread, or --via",
                "perf send_lat --via 127.0.0.2 --connect a -q 2 | with --via and a latency test only 1 is allowed",
                "perf send_lat --via 127.0.0.2 --connect a -n 1 | with --via and a latency test at least 2 is required",
                "perf write_lat --via 127.0.0.2 --connect a -s 0 | the last byte is the number of the message",
                "perf write_lat --via 127.0.0.2 --connect a --transport ud | ud does not support write",
                "perf send_bw --via 127.0.0.2 --peer 127.0.0.3 --cable-mtu 1500 --transport ud -s 2048 --connect a | --size is 2048; over this cable with ud 0 to 1024 is allowed",
                "perf send_bw --via 127.0.0.2 --peer 127.0.0.3 --connect a:99999 | with a port from 1 to 65535 is allowed",
                "pingpong --via 127.0.0.2 --connect a --transport dc | with --via rc, uc, ud and srq are allowed"
            })
    void badOptionsOfOneEndAreOneClearLine(String line, String told) {
        assertRefused(line, told);
    }

    private static void assertRefused(String line, String told) {
        CommandRun run = CommandRun.of(line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("hca: ").contains(told);
    }
}
