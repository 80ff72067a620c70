package org.hcaactors.adapter.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;

/** The caller's side of a reliable connected queue pair. */
record RcHandle(WorkQueues queues) implements RcQueuePair {
    @Override
    public void post(RcWork work) {
        queues.post(work, null);
    }

    @Override
    public CompletionStage<WorkCompletion> submit(RcWork work) {
        return queues.submit(work, null);
    }

    @Override
    public int number() {
        return queues.number();
    }

    @Override
    public QpState state() {
        return queues.state();
    }

    @Override
    public QpCapacity capacity() {
        return queues.capacity();
    }

    @Override
    public CompletionQueue sendCq() {
        return queues.sendCq();
    }

    @Override
    public CompletionQueue recvCq() {
        return queues.recvCq();
    }

    @Override
    public Optional<SharedReceiveQueue> srq() {
        return queues.srq();
    }

    @Override
    public void postReceive(Receive receive) {
        queues.postReceive(receive);
    }

    @Override
    public CompletionStage<Void> modify(QpModify change) {
        return queues.door().modify(change);
    }

    @Override
    public CompletionStage<QpSnapshot> query() {
        return queues.door().query();
    }

    @Override
    public CompletionStage<Void> destroy() {
        return queues.door().destroy();
    }

    @Override
    public String describe() {
        return queues.describe();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return queues.door().flushAndDestroy();
    }

    @Override
    public void close() {
        queues.door().door().await(closeAsync());
    }
}
