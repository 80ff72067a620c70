// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.AwaitTimeoutException;
import org.hcaactors.cli.gateway.Exchange;
import org.hcaactors.cli.gateway.Outcome;
import org.hcaactors.cli.gateway.PerftestClient;
import org.hcaactors.cli.gateway.PerftestFigures;
import org.hcaactors.cli.gateway.PerftestPlan;
import org.hcaactors.cli.gateway.PerftestServer;
import org.hcaactors.cli.gateway.PerftestTerms;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.cli.gateway.TcpService;

/**
 * One end of a test of perftest; the other one is another program, across a cable.
 *
 * @param byConnections true if the client connects by communication management
 */
record OutsidePerf(
        Station station, PerftestPlan plan, boolean byConnections, CableOutput output, OutsideOptions options) {
    private PerftestTerms terms() {
        return plan.terms();
    }

    /** @throws org.hcaactors.cli.gateway.PeerException if the other end breaks off */
    void play() throws IOException, InterruptedException, BadInputException {
        if (options.isServer()) {
            serve();
        } else {
            measure();
        }
    }

    private void serve() throws IOException, InterruptedException {
        try (TcpService.Port port = TcpService.Port.open(options.listenAt())) {
            output.tell(
                    "  listening at TCP " + port,
                    CableOutput.start(station).put("listen", port.socket().getLocalPort()));
            try (Exchange exchange = port.next();
                    PerftestServer server = PerftestServer.overTcp(station, terms(), exchange, "server")) {
                Outcome outcome = server.serve(this::told);
                ObjectNode result = CableOutput.event("result")
                        .put("test", terms().tool().toString())
                        .put("transport", transport());
                output.tell(outcome.words(), CableOutput.figures(result, outcome));
            }
        }
    }

    private void told(String words) {
        output.tell("  " + words, CableOutput.event("told").put("words", words));
    }

    private String transport() {
        return TransportOption.plain(terms().transport()).toString();
    }

    private void measure() throws IOException, InterruptedException, BadInputException {
        if (byConnections) {
            try (PerftestClient client = PerftestClient.overConnections(station, plan, options.serverAddress())) {
                measure(client);
            } catch (ConnectionException | AwaitTimeoutException refused) {
                throw new BadInputException("--connect " + options.server() + ": " + refused.getMessage());
            }
        } else {
            try (Exchange exchange = options.connect();
                    PerftestClient client = PerftestClient.overTcp(station, plan, exchange)) {
                measure(client);
            }
        }
    }

    private void measure(PerftestClient client) throws IOException, InterruptedException {
        AtomicLong done = new AtomicLong();
        try (Progress progress = new Progress(!output.isJson(), plan.iterations() * plan.queuePairs(), done::get)) {
            output.tell(List.of(), CableOutput.start(station).put("connect", options.server()));
            report(client.run(this::told, done::set));
        }
    }

    private void report(PerftestFigures figures) {
        PerfReport.Measured measured =
                new PerfReport.Measured(terms().tool().toString(), transport(), terms().bytes(), figures.messages());
        PerfReport report = switch (figures) {
            case PerftestFigures.Rate rate -> PerfReport.rates(measured, rate.average(), rate.peak());
            case PerftestFigures.Times times -> PerfReport.latencies(measured, times.sorted());
        };
        StringWriter table = new StringWriter();
        report.print(new PrintWriter(table));
        output.tell(
                table.toString().lines().toList(), CableOutput.event("result").setAll(report.row()));
    }
}
