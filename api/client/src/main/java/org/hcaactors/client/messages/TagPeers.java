// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Connections of an endpoint, including those being created: none is left when it has closed. Any thread. */
final class TagPeers {
    private final TagResources resources;
    private final Map<Integer, TagPeer> peers = new HashMap<>();

    /** Ends of those being created. */
    private final Set<CompletableFuture<Void>> connecting = new LinkedHashSet<>();

    private boolean closing;
    private Optional<VerbsException> failed = Optional.empty();

    TagPeers(TagResources resources) {
        this.resources = resources;
    }

    /** Fails with EINVAL if they are closed, with EIO if they have failed. */
    CompletionStage<TagPeer> add() {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        synchronized (this) {
            if (closing) {
                return CompletableFuture.failedStage(VerbsException.invalid(TagEndpoint.CLOSED));
            }
            if (failed.isPresent()) {
                return CompletableFuture.failedStage(new VerbsException(
                        Errno.EIO, "the endpoint has failed: " + failed.get().getMessage(), failed.get()));
            }
            connecting.add(connected);
        }
        return make().whenComplete((peer, reason) -> {
            synchronized (this) {
                if (reason == null) {
                    peer.whenClosed(() -> remove(peer));
                    peers.put(peer.number(), peer);
                    failed.ifPresent(peer::fail);
                }
                connecting.remove(connected);
            }
            connected.complete(null);
        });
    }

    private CompletionStage<TagPeer> make() {
        try {
            return resources.newPeer();
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    /** No more completions arrive. */
    void fail(VerbsException reason) {
        List<TagPeer> all;
        synchronized (this) {
            if (failed.isPresent()) {
                return;
            }
            failed = Optional.of(reason);
            all = List.copyOf(peers.values());
        }
        all.forEach(peer -> peer.fail(reason));
    }

    /** Another connection may have the same number by then. */
    private synchronized void remove(TagPeer peer) {
        peers.remove(peer.number(), peer);
    }

    synchronized Optional<TagPeer> byQueuePair(int queuePair) {
        return Optional.ofNullable(peers.get(queuePair));
    }

    /** Waits for those being created, and closes all, even if one cannot be closed. */
    CompletionStage<Void> closeAsync() {
        CompletableFuture<?>[] last;
        synchronized (this) {
            closing = true;
            last = connecting.toArray(CompletableFuture<?>[]::new);
        }
        return CompletableFuture.allOf(last).thenCompose(done -> closeAll());
    }

    private CompletionStage<Void> closeAll() {
        List<TagPeer> all;
        synchronized (this) {
            all = List.copyOf(peers.values());
        }
        CompletionStage<Void> closed = CompletableFuture.completedStage(null);
        for (TagPeer peer : all) {
            closed = TagResources.inTurn(closed, peer::closeAsync);
        }
        return closed;
    }
}
