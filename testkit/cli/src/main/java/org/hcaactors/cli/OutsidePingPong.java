// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hcaactors.cli.gateway.Exchange;
import org.hcaactors.cli.gateway.PingPongGame;
import org.hcaactors.cli.gateway.PingPongGame.Introduction;
import org.hcaactors.cli.gateway.PingPongGame.Score;
import org.hcaactors.cli.gateway.PingPongTerms;
import org.hcaactors.cli.gateway.SrqPingPongGame;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.cli.gateway.TcpService;

/**
 * One end of a ping-pong; the other one is another program, across a cable.
 *
 * @param sharing number of queue pairs with one shared receive queue; empty for one with its own
 * @param rounds of all queue pairs together
 * @param output gets what happens before the result
 */
record OutsidePingPong(Station station, PingPongTerms terms, OptionalInt sharing, long rounds, CableOutput output) {
    /** Result of one end. */
    record Played(Score score, List<String> addresses) {}

    /** @throws org.hcaactors.cli.gateway.PeerException if the server breaks off, or sends wrong bytes back */
    Played client(OutsideOptions options) throws IOException, InterruptedException, BadInputException {
        try (Exchange exchange = options.connect()) {
            output.tell(List.of(), CableOutput.start(station).put("connect", options.server()));
            return play((introduced, played) -> sharing.isPresent()
                    ? new SrqPingPongGame(station, terms, introduced, played)
                            .client(exchange, rounds, sharing.getAsInt())
                    : new PingPongGame(station, terms, introduced, played).client(exchange, rounds));
        }
    }

    /** @throws IOException if the port is in use, or the client breaks off */
    Played server(OutsideOptions options) throws IOException, InterruptedException {
        try (TcpService.Port port = TcpService.Port.open(options.listenAt())) {
            output.tell(
                    "  listening at TCP " + port,
                    CableOutput.start(station).put("listen", port.socket().getLocalPort()));
            return play((introduced, played) -> {
                try (Exchange exchange = port.next()) {
                    return sharing.isPresent()
                            ? new SrqPingPongGame(station, terms, introduced, played).server(exchange, "server", rounds)
                            : new PingPongGame(station, terms, introduced, played).server(exchange, "server", rounds);
                }
            });
        }
    }

    private interface Role {
        Score play(Consumer<Introduction> introduced, LongConsumer played) throws IOException, InterruptedException;
    }

    private Played play(Role role) throws IOException, InterruptedException {
        AtomicLong played = new AtomicLong();
        List<String> addresses = new ArrayList<>();
        try (Progress progress = new Progress(!output.isJson(), rounds, played::get)) {
            return new Played(role.play(both -> introduced(both, addresses), played::set), List.copyOf(addresses));
        }
    }

    /** Lines with the addresses are part of the report. */
    private void introduced(Introduction both, List<String> addresses) {
        addresses.add("  local  address: " + both.local());
        addresses.add("  remote address: " + both.remote());
        ObjectNode object = CableOutput.event("introduced");
        object.set("local", CableOutput.address(both.local()));
        object.set("remote", CableOutput.address(both.remote()));
        output.tell(List.of(), object);
    }
}
