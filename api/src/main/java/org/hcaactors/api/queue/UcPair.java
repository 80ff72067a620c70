package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Gid;

/**
 * Two queue pairs of an unreliable connection.
 *
 * @param local created from the first description
 * @param remote created from the second
 */
public record UcPair(UcQueuePair local, UcQueuePair remote) {
    /** Creates both and takes both from RESET to RTS, with {@link UcConnection#DEFAULT}. */
    public static CompletionStage<UcPair> connect(QpBuilder<UcQueuePair> local, QpBuilder<UcQueuePair> remote) {
        return connect(local, remote, UcConnection.DEFAULT);
    }

    /**
     * Where it fails, what was created is closed.
     *
     * @param terms as the first has them
     */
    public static CompletionStage<UcPair> connect(
            QpBuilder<UcQueuePair> local, QpBuilder<UcQueuePair> remote, UcConnection terms) {
        return local.create()
                .thenCompose(a -> Unwinding.closing(
                        a,
                        remote.create()
                                .thenCompose(b -> Unwinding.closing(
                                        b,
                                        ready(a, b, gidOf(remote), terms)
                                                .thenCompose(done -> ready(b, a, gidOf(local), terms.reversed()))
                                                .thenApply(done -> new UcPair(a, b))))));
    }

    private static Gid gidOf(QpBuilder<?> side) {
        return side.domain().context().adapter().gid();
    }

    private static CompletionStage<Void> ready(UcQueuePair end, UcQueuePair peer, Gid peerGid, UcConnection terms) {
        return end.modify(terms.toInit())
                .thenCompose(done -> end.modify(terms.toReadyToReceive(peerGid, peer.number())))
                .thenCompose(done -> end.modify(terms.toReadyToSend()));
    }
}
