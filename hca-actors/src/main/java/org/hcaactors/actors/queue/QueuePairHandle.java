// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.work.Receive;

/** Common part of the handles of all transports. */
interface QueuePairHandle extends QueuePair, ActorHandle, PageHolder {
    WorkQueues queues();

    @Override
    default CommandSender<?> commandSender() {
        return queues().commands().commandSender();
    }

    @Override
    default int number() {
        return queues().number();
    }

    @Override
    default Gid gid() {
        return queues().gid();
    }

    @Override
    default QpState state() {
        return queues().state();
    }

    @Override
    default QpCapacity capacity() {
        return queues().capacity();
    }

    @Override
    default PageLayout pages() {
        return buffer().layout();
    }

    @Override
    default AllocatedPages buffer() {
        return queues().buffer();
    }

    @Override
    default CompletionQueue sendCq() {
        return queues().sendCq();
    }

    @Override
    default CompletionQueue recvCq() {
        return queues().recvCq();
    }

    @Override
    default Optional<SharedReceiveQueue> srq() {
        return queues().srq();
    }

    @Override
    default void postReceive(Receive receive) {
        queues().postReceive(receive);
    }

    @Override
    default void postReceive(List<Receive> receives) {
        queues().postReceives(receives);
    }

    @Override
    default CompletionStage<Void> modify(QpModify change) {
        return queues().begin(Verb.MODIFY_QP, () -> queues().commands().modify(change));
    }

    @Override
    default CompletionStage<QpSnapshot> query() {
        return queues().begin(Verb.QUERY_QP, queues().commands()::query);
    }

    @Override
    default CompletionStage<Void> destroy() {
        return queues().begin(Verb.DESTROY_QP, queues().commands()::destroy);
    }

    @Override
    default String describe() {
        return queues().describe();
    }

    @Override
    default CompletionStage<Void> closeAsync() {
        return queues().begin(Verb.DESTROY_QP, queues().commands()::flushAndDestroy);
    }
}
