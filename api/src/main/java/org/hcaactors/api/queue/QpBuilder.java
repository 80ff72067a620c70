// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;

/**
 * The short form: a {@link QpDescription} that knows the domain in which it is created. Each call gives a new one.
 *
 * <p>Immutable.
 *
 * @param <Q> the kind of queue pair
 */
public final class QpBuilder<Q extends QueuePair> {
    private final QpDescription<Q> description;
    private final Function<QpDescription<Q>, CompletionStage<Q>> domain;

    private QpBuilder(QpDescription<Q> description, Function<QpDescription<Q>, CompletionStage<Q>> domain) {
        this.description = description;
        this.domain = domain;
    }

    /** @param domain creates what is described */
    public static <Q extends QueuePair> QpBuilder<Q> of(
            QpDescription<Q> description, Function<QpDescription<Q>, CompletionStage<Q>> domain) {
        return new QpBuilder<>(description, domain);
    }

    /** As {@link QpDescription#sendCq}. */
    public QpBuilder<Q> sendCq(CompletionQueue queue) {
        return with(requested -> requested.sendCq(queue));
    }

    /** As {@link QpDescription#recvCq}. */
    public QpBuilder<Q> recvCq(CompletionQueue queue) {
        return with(requested -> requested.recvCq(queue));
    }

    /** As {@link QpDescription#srq}. */
    public QpBuilder<Q> srq(SharedReceiveQueue queue) {
        return with(requested -> requested.srq(queue));
    }

    /** As {@link QpDescription#capacity(QpCapacity)}. */
    public QpBuilder<Q> capacity(QpCapacity sizes) {
        return with(requested -> requested.capacity(sizes));
    }

    /** As {@link QpDescription#signalingAll}. */
    public QpBuilder<Q> signalingAll() {
        return with(QpDescription::signalingAll);
    }

    /** As {@link QpDescription#blockingOwnMulticast}. */
    public QpBuilder<Q> blockingOwnMulticast() {
        return with(QpDescription::blockingOwnMulticast);
    }

    /** As {@link QpDescription#fillingKeys()}. */
    public QpBuilder<Q> fillingKeys() {
        return with(QpDescription::fillingKeys);
    }

    /** As {@link QpDescription#fillingKeys(int)}. */
    public QpBuilder<Q> fillingKeys(int inlineEntries) {
        return with(requested -> requested.fillingKeys(inlineEntries));
    }

    /** As {@link QpDescription#allowingScatterToCqe}. */
    public QpBuilder<Q> allowingScatterToCqe() {
        return with(QpDescription::allowingScatterToCqe);
    }

    /** As {@link QpDescription#takingBigEndianReplies}. */
    public QpBuilder<Q> takingBigEndianReplies() {
        return with(QpDescription::takingBigEndianReplies);
    }

    /** As {@link QpDescription#disablingScatterToCqe}. */
    public QpBuilder<Q> disablingScatterToCqe() {
        return with(QpDescription::disablingScatterToCqe);
    }

    /** As {@link QpDescription#streams(DcStreams)}. */
    public QpBuilder<Q> streams(DcStreams streams) {
        return with(requested -> requested.streams(streams));
    }

    /** As {@link QpDescription#forcingFullHandshake}. */
    public QpBuilder<Q> forcingFullHandshake() {
        return with(QpDescription::forcingFullHandshake);
    }

    /** As {@link QpDescription#onShard}. */
    public QpBuilder<Q> onShard(int shard) {
        return with(requested -> requested.onShard(shard));
    }

    /** As {@link QpDescription#at}. */
    public QpBuilder<Q> at(Placement requested) {
        return with(description -> description.at(requested));
    }

    private QpBuilder<Q> with(UnaryOperator<QpDescription<Q>> change) {
        return new QpBuilder<>(change.apply(description), domain);
    }

    /** What is asked for so far. */
    public QpDescription<Q> description() {
        return description;
    }

    /** Creates the queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or if a queue is closed. */
    public CompletionStage<Q> create() {
        return domain.apply(description);
    }
}
