// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;

/**
 * A {@link QpDescription} together with the domain that creates the queue pair. Each method returns a new builder.
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

    /** @param domain creates a queue pair from a description */
    public static <Q extends QueuePair> QpBuilder<Q> of(
            QpDescription<Q> description, Function<QpDescription<Q>, CompletionStage<Q>> domain) {
        return new QpBuilder<>(description, domain);
    }

    /** Same as {@link QpDescription#sendCq}. */
    public QpBuilder<Q> sendCq(CompletionQueue queue) {
        return with(requested -> requested.sendCq(queue));
    }

    /** Same as {@link QpDescription#recvCq}. */
    public QpBuilder<Q> recvCq(CompletionQueue queue) {
        return with(requested -> requested.recvCq(queue));
    }

    /** Same as {@link QpDescription#srq}. */
    public QpBuilder<Q> srq(SharedReceiveQueue queue) {
        return with(requested -> requested.srq(queue));
    }

    /** Same as {@link QpDescription#capacity(QpCapacity)}. */
    public QpBuilder<Q> capacity(QpCapacity sizes) {
        return with(requested -> requested.capacity(sizes));
    }

    /** Same as {@link QpDescription#signalingAll}. */
    public QpBuilder<Q> signalingAll() {
        return with(QpDescription::signalingAll);
    }

    /** Same as {@link QpDescription#blockingOwnMulticast}. */
    public QpBuilder<Q> blockingOwnMulticast() {
        return with(QpDescription::blockingOwnMulticast);
    }

    /** Same as {@link QpDescription#fillingKeys()}. */
    public QpBuilder<Q> fillingKeys() {
        return with(QpDescription::fillingKeys);
    }

    /** Same as {@link QpDescription#fillingKeys(int)}. */
    public QpBuilder<Q> fillingKeys(int inlineEntries) {
        return with(requested -> requested.fillingKeys(inlineEntries));
    }

    /** Same as {@link QpDescription#allowingScatterToCqe}. */
    public QpBuilder<Q> allowingScatterToCqe() {
        return with(QpDescription::allowingScatterToCqe);
    }

    /** Same as {@link QpDescription#takingBigEndianReplies}. */
    public QpBuilder<Q> takingBigEndianReplies() {
        return with(QpDescription::takingBigEndianReplies);
    }

    /** Same as {@link QpDescription#disablingScatterToCqe}. */
    public QpBuilder<Q> disablingScatterToCqe() {
        return with(QpDescription::disablingScatterToCqe);
    }

    /** Same as {@link QpDescription#streams(DcStreams)}. */
    public QpBuilder<Q> streams(DcStreams streams) {
        return with(requested -> requested.streams(streams));
    }

    /** Same as {@link QpDescription#forcingFullHandshake}. */
    public QpBuilder<Q> forcingFullHandshake() {
        return with(QpDescription::forcingFullHandshake);
    }

    /** Same as {@link QpDescription#onShard}. */
    public QpBuilder<Q> onShard(int shard) {
        return with(requested -> requested.onShard(shard));
    }

    /** Same as {@link QpDescription#at}. */
    public QpBuilder<Q> at(Placement requested) {
        return with(description -> description.at(requested));
    }

    private QpBuilder<Q> with(UnaryOperator<QpDescription<Q>> change) {
        return new QpBuilder<>(change.apply(description), domain);
    }

    /** The current description. */
    public QpDescription<Q> description() {
        return description;
    }

    /** Creates the queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or if a queue is closed. */
    public CompletionStage<Q> create() {
        return domain.apply(description);
    }
}
