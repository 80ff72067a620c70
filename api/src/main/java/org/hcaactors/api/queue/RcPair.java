package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;

/**
 * Two connected queue pairs.
 *
 * @param local created from the first description
 * @param remote created from the second
 */
public record RcPair(RcQueuePair local, RcQueuePair remote) {
    /** Creates both and takes both from RESET to RTS, with {@link RcConnection#DEFAULT}. */
    public static CompletionStage<RcPair> connect(QpBuilder<RcQueuePair> local, QpBuilder<RcQueuePair> remote) {
        return connect(local, remote, RcConnection.DEFAULT);
    }

    /** @param terms as the first has them */
    public static CompletionStage<RcPair> connect(
            QpBuilder<RcQueuePair> local, QpBuilder<RcQueuePair> remote, RcConnection terms) {
        return local.create()
                .thenCompose(a -> remote.create().thenApply(b -> new RcPair(a, b)))
                .thenCompose(pair -> ready(pair.local, pair.remote, remote, terms)
                        .thenCompose(done -> ready(pair.remote, pair.local, local, terms.reversed()))
                        .thenApply(done -> pair));
    }

    private static CompletionStage<Void> ready(
            RcQueuePair end, RcQueuePair peer, QpBuilder<RcQueuePair> peerSide, RcConnection terms) {
        return end.modify(terms.toInit())
                .thenCompose(done -> end.modify(terms.toReadyToReceive(
                        peerSide.domain().context().adapter().gid(), peer.number())))
                .thenCompose(done -> end.modify(terms.toReadyToSend()));
    }
}
