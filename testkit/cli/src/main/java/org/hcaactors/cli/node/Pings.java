// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.cli.gateway.ConnectionService;
import org.hcaactors.cli.gateway.PingSender;

/** Pings from a node to adapters of other nodes, which it waits for. One thread; {@link #saw} and {@link #stop} from any. */
public final class Pings {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final long pings;
    private final int bytes;
    private final Map<String, CompletableFuture<Void>> found = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /**
     * @param pings to each adapter
     * @param bytes of each
     */
    public Pings(long pings, int bytes) {
        this.pings = pings;
        this.bytes = bytes;
    }

    /** Takes an event of the cluster. */
    public void saw(NodeEvent event) {
        switch (event) {
            case NodeEvent.AdapterFound known -> wait(known.adapter()).complete(null);
            case NodeEvent.AdapterGone gone -> {}
            case NodeEvent.Member member -> {}
        }
    }

    private CompletableFuture<Void> wait(String adapter) {
        return found.computeIfAbsent(adapter, name -> new CompletableFuture<>());
    }

    /** Ends the pings early. */
    public void stop() {
        stopped = true;
        found.values().forEach(waiting -> waiting.complete(null));
    }

    /**
     * Sends all pings to an adapter.
     *
     * @throws NodeException if there is no such adapter within a minute, its node does not answer, or sends other bytes back
     */
    public PingResult to(String adapter, ClusterNode node) throws NodeException, InterruptedException {
        try {
            CompletableFuture<Void> known = wait(adapter);
            if (!stopped) {
                known.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | ExecutionException unknown) {
            throw new NodeException("no node has an adapter " + adapter + " after " + LONGEST_WAIT.toSeconds() + " s");
        }
        if (stopped) {
            throw new NodeException("it ended before it pinged " + adapter);
        }
        try (PingSender sender = connect(adapter, node)) {
            long began = System.nanoTime();
            long done = 0;
            while (done < pings && !stopped) {
                sender.ping(done++);
            }
            return new PingResult(adapter, done, bytes, System.nanoTime() - began);
        } catch (IOException | ConnectionException broken) {
            throw new NodeException(String.valueOf(broken.getMessage()));
        }
    }

    /** A node is known before its program listens. */
    private PingSender connect(String adapter, ClusterNode node) throws InterruptedException {
        InetSocketAddress server = InetSocketAddress.createUnresolved(adapter, ConnectionService.RPING_PORT);
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (true) {
            try {
                return PingSender.connect(node.network(), node.adapter(), server, bytes);
            } catch (ConnectionException refused) {
                if (stopped || System.nanoTime() > deadline) {
                    throw refused;
                }
                Thread.sleep(PAUSE);
            }
        }
    }
}
