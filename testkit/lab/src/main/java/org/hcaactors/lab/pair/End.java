// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;

/** One of two that talk, with all that it needs to talk, whatever the transport between them. */
public interface End {
    Side side();

    Transport transport();

    /** The one that sends. */
    QueuePair qp();

    /**
     * Puts a request to its peer on its send queue, as {@code post} of its queue pair does.
     *
     * @throws org.hcaactors.api.error.VerbsException also with EOPNOTSUPP for what its transport does not carry
     */
    void post(WorkRequest work);

    /** Posts it signaled and gives the completion as a stage, as {@code submit} of its queue pair does; throws as {@link #post}. */
    CompletionStage<WorkCompletion> submit(WorkRequest work);

    /** The one that its peer's requests come to. */
    default QueuePairEndpoint receiver() {
        return qp();
    }

    /** Puts a buffer where its peer's messages go: on its own receive queue, or on the one that it shares. */
    default void postReceive(Receive receive) {
        Optional<SharedReceiveQueue> srq = qp().srq();
        if (srq.isPresent()) {
            srq.get().postReceive(receive);
        } else {
            qp().postReceive(receive);
        }
    }

    default CompletionQueue sendCq() {
        return qp().sendCq();
    }

    default CompletionQueue recvCq() {
        return qp().recvCq();
    }

    default Adapter adapter() {
        return side().adapter();
    }

    default DeviceContext context() {
        return side().context();
    }

    default ProtectionDomain domain() {
        return side().domain();
    }

    default HostMemory memory() {
        return side().memory();
    }

    default MemoryRegion region() {
        return side().region();
    }

    default LocalSlice slice(long offset, int lengthBytes) {
        return side().slice(offset, lengthBytes);
    }

    default RemoteAddress remote(long offset) {
        return side().remote(offset);
    }

    /** As ladders and explanations name its queue pair: {@code a/qp17}. */
    default String label() {
        return adapter().name() + "/qp" + qp().number();
    }
}
