// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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
 * @param lines gets what happens before the result
 * @param showsProgress false to show none on the terminal
 */
record OutsidePingPong(
        Station station, PingPongTerms terms, long rounds, Consumer<String> lines, boolean showsProgress) {
    /** Result of one end. */
    record Played(Score score, List<String> addresses) {}

    /** @throws org.hcaactors.cli.gateway.PeerException if the server breaks off, or sends wrong bytes back */
    Played client(Exchange exchange) throws IOException, InterruptedException {
        return play(game -> {
            try (exchange) {
                return game.client(exchange, rounds);
            }
        });
    }

    /** @throws IOException if the port is in use, or the client breaks off */
    Played server(OutsideOptions options) throws IOException, InterruptedException {
        try (TcpService.Port port = TcpService.Port.open(options.listenAt())) {
            lines.accept("  listening at TCP " + port);
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
        try (Progress progress = new Progress(showsProgress, rounds, played::get)) {
            PingPongGame game = new PingPongGame(station, terms, both -> addresses.set(words(both)), played::set);
            return new Played(role.play(game), Objects.requireNonNull(addresses.get()));
        }
    }

    private static List<String> words(Introduction both) {
        return List.of("  local  address: " + both.local(), "  remote address: " + both.remote());
    }
}
