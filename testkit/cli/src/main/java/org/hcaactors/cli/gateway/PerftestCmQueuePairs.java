// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;

/**
 * Queue pairs of perftest's server that a client connects by communication management, in the context of the listener. The client names them in the order in which
 * they were connected, as far as that matters: all have the same memory. Any thread.
 */
final class PerftestCmQueuePairs implements PerftestServer.QueuePairs {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Station station;
    private final ProtectionDomain domain;
    private final List<PerftestQp> all = new CopyOnWriteArrayList<>();
    private Optional<Side> memory = Optional.empty();
    private final BlockingQueue<PerftestQp> connected = new ArrayBlockingQueue<>(PerftestPlan.MOST_QUEUE_PAIRS);
    private final CompletableFuture<Creating> creating = new CompletableFuture<>();

    private record Creating(PathMtu mtu, Function<PerftestQp.Connecting, PerftestQp> queuePair) {}

    /** @param context that of the listener */
    PerftestCmQueuePairs(Station station, DeviceContext context) {
        this.station = station;
        domain = context.allocatePd();
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public void begin(Side side, PathMtu mtu, Function<PerftestQp.Connecting, PerftestQp> with) {
        memory = Optional.of(side);
        creating.complete(new Creating(mtu, with));
    }

    /**
     * Accepts a further connection of the client; blocks.
     *
     * @throws IllegalStateException if there are too many
     * @throws CompletionException if the client has not introduced itself
     */
    void accept(ConnectionRequest request) {
        Creating with = creating.copy()
                .orTimeout(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        PerftestQp created = with.queuePair.apply(qp -> accept(request, qp, with.mtu));
        all.add(created);
        connected.add(created);
    }

    private End accept(ConnectionRequest request, UnconnectedQp created, PathMtu mtu) {
        station.network().await(request.accept(created.description(mtu)));
        return created.connected();
    }

    @Override
    public PerftestQp of(PerftestKeys client) throws PeerException {
        PerftestQp next = connected.poll();
        if (next == null) {
            throw new PeerException("it named a queue pair that it did not connect");
        }
        return next;
    }

    @Override
    public void close() {
        all.forEach(PerftestQp::close);
        memory.ifPresent(side -> {
            side.region().close();
            side.memory().close();
        });
        domain.close();
    }
}
