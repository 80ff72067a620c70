// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.hcaactors.cli.gateway.Exchange;
import org.hcaactors.cli.gateway.PingPongGame;
import org.hcaactors.cli.gateway.PingPongGame.Introduction;
import org.hcaactors.cli.gateway.PingPongGame.Score;
import org.hcaactors.cli.gateway.PingPongTerms;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.cli.gateway.TcpService;

/**
 * One end of a ping-pong; the other one is another program, across a cable.
 *
 * @param output gets what happens before the result
 */
record OutsidePingPong(Station station, PingPongTerms terms, long rounds, CableOutput output) {
    /** Result of one end. */
    record Played(Score score, List<String> addresses) {}

    /** @throws org.hcaactors.cli.gateway.PeerException if the server breaks off, or sends wrong bytes back */
    Played client(OutsideOptions options) throws IOException, InterruptedException, BadInputException {
        try (Exchange exchange = options.connect()) {
            output.tell(List.of(), CableOutput.start(station).put("connect", options.server()));
            return play(game -> game.client(exchange, rounds));
        }
    }

    /** @throws IOException if the port is in use, or the client breaks off */
    Played server(OutsideOptions options) throws IOException, InterruptedException {
        try (TcpService.Port port = TcpService.Port.open(options.listenAt())) {
            output.tell(
                    "  listening at TCP " + port,
                    CableOutput.start(station).put("listen", port.socket().getLocalPort()));
            return play(game -> {
                try (Exchange exchange = port.next()) {
                    return game.server(exchange, "server", rounds);
                }
            });
        }
    }

    private interface Role {
        Score play(PingPongGame game) throws IOException, InterruptedException;
    }

    private Played play(Role role) throws IOException, InterruptedException {
        AtomicLong played = new AtomicLong();
        AtomicReference<List<String>> addresses = new AtomicReference<>(List.of());
        try (Progress progress = new Progress(!output.isJson(), rounds, played::get)) {
            PingPongGame game = new PingPongGame(station, terms, both -> introduced(both, addresses), played::set);
            return new Played(role.play(game), Objects.requireNonNull(addresses.get()));
        }
    }

    /** Lines with the addresses are part of the report. */
    private void introduced(Introduction both, AtomicReference<List<String>> addresses) {
        addresses.set(List.of("  local  address: " + both.local(), "  remote address: " + both.remote()));
        ObjectNode object = CableOutput.event("introduced");
        object.set("local", CableOutput.address(both.local()));
        object.set("remote", CableOutput.address(both.remote()));
        output.tell(List.of(), object);
    }
}
