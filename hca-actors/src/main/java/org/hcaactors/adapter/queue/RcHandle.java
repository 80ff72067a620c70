package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcCapacity;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * The caller's side of a queue pair. Posting checks here, in the caller's thread, what the mlx5 library checks there
 * (rc-protocol 2.5), and then writes the ring and rings the bell.
 */
final class RcHandle implements RcQueuePair {
    private final int number;
    private final RcCapacity capacity;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final Profile profile;
    private final AdapterTrace trace;
    private final QueuePairDoor door;
    private final WorkRing<Posted> sendRing;
    private final WorkRing<Receive> receiveRing;

    /** A mirror that the actor writes; which queues take work follows from it as in the mlx5 library. */
    private volatile QpState state = QpState.RESET;

    private volatile boolean sendOpen;
    private volatile boolean receiveOpen;

    RcHandle(
            int number,
            RcCapacity capacity,
            CompletionQueue sendCq,
            CompletionQueue recvCq,
            Profile profile,
            AdapterTrace trace,
            QueuePairDoor door) {
        this.number = number;
        this.capacity = capacity;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.profile = profile;
        this.trace = trace;
        this.door = door;
        this.sendRing = new WorkRing<>(capacity.maxSendWr(), door::ringSend);
        this.receiveRing = new WorkRing<>(capacity.maxRecvWr(), door::ringReceive);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        return state;
    }

    @Override
    public RcCapacity capacity() {
        return capacity;
    }

    @Override
    public CompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public CompletionQueue recvCq() {
        return recvCq;
    }

    @Override
    public void post(RcWork work) {
        post(work, null);
    }

    @Override
    public CompletionStage<WorkCompletion> submit(RcWork work) {
        Reply<WorkCompletion> reply = door.reply();
        try {
            post(work, reply);
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return reply.stage();
    }

    private void post(RcWork work, @Nullable Reply<WorkCompletion> stage) {
        if (!sendOpen) {
            throw VerbsException.invalid(
                    "queue pair " + number + " is in " + state + "; the send queue takes work from RTS on");
        }
        CompletionKind kind = Posted.kindOf(work);
        checkSend(work, kind);
        long length = work.lengthBytes();
        Octets inline = work.flags().inline() ? copyInline(work, length) : null;
        long traceId = trace.enabled()
                ? trace.record(0, at -> new HcaEvent.WorkPosted(at, trace.port(), number, work.id(), describe(work)))
                : 0;
        if (!sendRing.put(new Posted(work, kind, length, Posted.Extras.of(inline, stage, traceId)))) {
            throw new VerbsException(Errno.ENOMEM, "the send queue of " + capacity.maxSendWr() + " requests is full");
        }
    }

    @Override
    public void postReceive(Receive receive) {
        if (!receiveOpen) {
            throw VerbsException.invalid(
                    "queue pair " + number + " is in " + state + "; the receive queue takes work from INIT on");
        }
        if (receive.local().size() > capacity.maxRecvSge()) {
            throw VerbsException.invalid(
                    "a receive of " + receive.local().size() + " elements; " + capacity.maxRecvSge() + " are allowed");
        }
        if (!receiveRing.put(receive)) {
            throw new VerbsException(Errno.ENOMEM, "the receive queue of " + capacity.maxRecvWr() + " buffers is full");
        }
    }

    @Override
    public CompletionStage<Void> modify(QpModify change) {
        return door.modify(change);
    }

    @Override
    public CompletionStage<QpSnapshot> query() {
        return door.query();
    }

    @Override
    public CompletionStage<Void> destroy() {
        return door.destroy();
    }

    WorkRing<Posted> sendRing() {
        return sendRing;
    }

    WorkRing<Receive> receiveRing() {
        return receiveRing;
    }

    /** The queue pair's actor tells the new state. */
    void entered(QpState now) {
        switch (now) {
            case RESET -> {
                sendOpen = false;
                receiveOpen = false;
                sendRing.reset();
                receiveRing.reset();
            }
            case INIT -> receiveOpen = true;
            case RTS -> sendOpen = true;
            case RTR, SQD, SQE, ERR -> {}
        }
        state = now;
    }

    /** The queue pair is gone; nothing can be posted any more. */
    void closed() {
        sendOpen = false;
        receiveOpen = false;
    }

    private void checkSend(RcWork work, CompletionKind kind) {
        if (Posted.isAtomic(kind) && !profile.limits().atomics()) {
            throw new VerbsException(Errno.EOPNOTSUPP, profile.name() + " has no atomics");
        }
        int elements = work.local().size();
        if (elements > capacity.maxSendSge()) {
            throw new VerbsException(
                    Errno.ENOMEM, "a request of " + elements + " elements; " + capacity.maxSendSge() + " are allowed");
        }
    }

    private Octets copyInline(RcWork work, long length) {
        boolean carriesData = work instanceof Send || work instanceof RdmaWrite;
        if (!carriesData) {
            throw VerbsException.invalid("only SEND and RDMA WRITE can be inline");
        }
        if (length > capacity.maxInlineBytes()) {
            throw new VerbsException(
                    Errno.ENOMEM, length + " bytes of inline data; " + capacity.maxInlineBytes() + " are allowed");
        }
        byte[] copy = new byte[(int) length];
        int at = 0;
        List<LocalSlice> slices = work.local();
        for (LocalSlice slice : slices) {
            door.readMemory(slice.address(), copy, at, slice.lengthBytes());
            at += slice.lengthBytes();
        }
        return Octets.wrap(copy, 0, copy.length);
    }

    private static String describe(RcWork work) {
        String verb = switch (work) {
            case Send send -> send.immediate().isPresent() ? "SEND_WITH_IMM" : "SEND";
            case RdmaWrite write -> write.immediate().isPresent() ? "RDMA_WRITE_WITH_IMM" : "RDMA_WRITE";
            case RdmaRead read -> "RDMA_READ";
            case CompareAndSwap swap -> "CMP_AND_SWP";
            case FetchAdd add -> "FETCH_AND_ADD";
        };
        return verb + " " + work.lengthBytes() + " bytes";
    }
}
