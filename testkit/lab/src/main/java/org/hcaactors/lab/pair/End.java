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

/** One of two communicating ends, with queues and memory, whatever the transport. */
public interface End {
    Side side();

    Transport transport();

    /** Returns the queue pair that sends. */
    QueuePair qp();

    /**
     * Posts a request to the peer, as {@code post} of its queue pair does.
     *
     * @throws org.hcaactors.api.error.VerbsException also with EOPNOTSUPP for a request that the transport does not carry
     */
    void post(WorkRequest work);

    /**
     * Posts a request signaled; the stage gives the completion, as {@code submit} of its queue pair does. Throws as
     * {@link #post} does.
     */
    CompletionStage<WorkCompletion> submit(WorkRequest work);

    /** Returns the endpoint that receives the peer's requests. */
    default QueuePairEndpoint receiver() {
        return qp();
    }

    /** Posts a receive for the peer's messages: on its own receive queue, or on its shared receive queue. */
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

    /** Returns the queue pair's name in ladders and explanations: {@code a/qp17}. */
    default String label() {
        return adapter().name() + "/qp" + qp().number();
    }
}
