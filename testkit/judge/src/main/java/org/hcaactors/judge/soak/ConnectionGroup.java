// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;

/**
 * Many connections between two processes: their requests complete in one queue, their receives are from one shared queue and
 * complete in one queue, several threads post on all connections, and others take the completions.
 */
final class ConnectionGroup {
    /**
     * Size of a group.
     *
     * @param messages number of messages per posting thread
     * @param calm true if every request must succeed
     */
    record Terms(int pairs, int posters, int messages, RcConnection connection, boolean calm) {}

    private static final int CQ_ENTRIES = 1023;
    private static final int RECEIVES = 48;
    private static final QpCapacity CAPACITY =
            QpCapacity.DEFAULT.withMaxSendWr(16).withMaxRecvWr(0).withMaxSge(2).withMaxInlineBytes(64);
    private static final int MILLIS_FOR_COMPLETIONS = 10_000;

    final WorkerEnvironment environment;
    final Terms attributes;
    final SoakContext left;
    final SoakContext right;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final SharedReceiveQueue srq;
    final MemoryRegion source;
    final MemoryRegion target;
    final MemoryRegion inbox;
    final List<QpPair<RcQueuePair>> pairs = new ArrayList<>();
    /** Number of plain and masked additions to the word behind the target's slots. */
    final AtomicLong added = new AtomicLong();

    /** Number of SENDs that succeeded. */
    final AtomicLong sent = new AtomicLong();

    private final Inbox arriving = new Inbox(this, RECEIVES);
    private final Map<Long, Message> posted = new ConcurrentHashMap<>();
    private final List<CompletionConsumer> takers = new ArrayList<>();
    private final List<Thread> posters = new ArrayList<>();
    private volatile boolean over;

    ConnectionGroup(WorkerEnvironment environment, Terms attributes, SoakContext left, SoakContext right) {
        this.environment = environment;
        this.attributes = attributes;
        this.left = left;
        this.right = right;
        sends = left.made(left.context.createCq(CQ_ENTRIES));
        receives = right.made(right.context.createCq(CQ_ENTRIES));
        srq = right.made(right.domain.createSrq(SrqDescription.of(RECEIVES).withMaxSge(1)));
        source = registered(left, attributes.posters * PostingThread.AREA_BYTES);
        target = registered(right, attributes.posters * PostingThread.AREA_BYTES + Long.BYTES);
        inbox = registered(right, RECEIVES * PostingThread.SLOT_BYTES);
        List<CompletionStage<QpPair<RcQueuePair>>> connecting = new ArrayList<>();
        for (int i = 0; i < attributes.pairs; i++) {
            connecting.add(environment.given("connecting pair", i, connect()));
        }
        for (CompletionStage<QpPair<RcQueuePair>> each : connecting) {
            QpPair<RcQueuePair> pair = environment.await(each);
            left.opened(pair.local());
            right.opened(pair.remote());
            pairs.add(pair);
        }
    }

    private static MemoryRegion registered(SoakContext premises, int bytes) {
        HostMemory memory = premises.opened(premises.process.allocate(bytes));
        return premises.made(
                premises.domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    CompletionStage<QpPair<RcQueuePair>> connect() {
        return QpPair.connectRc(
                left.domain,
                QpDescription.rc().withSendCq(sends).withRecvCq(sends).withCapacity(CAPACITY),
                right.domain,
                QpDescription.rc()
                        .withSendCq(receives)
                        .withRecvCq(receives)
                        .withSrq(srq)
                        .withCapacity(CAPACITY),
                attributes.connection);
    }

    /** Starts all threads. */
    void begin() {
        SplittableRandom random = environment.random();
        arriving.postReceives();
        takers.add(CompletionConsumer.of(environment, receives, random.split(), arriving::completed));
        takers.add(CompletionConsumer.of(environment, sends, random.split(), this::completed));
        for (int i = 0; i < attributes.posters; i++) {
            PostingThread postingThread = new PostingThread(this, i, random.split());
            posters.add(environment.started(postingThread));
        }
    }

    long counter() {
        return attributes.posters * (long) PostingThread.AREA_BYTES;
    }

    void expect(Message message) {
        posted.put(message.number(), message);
    }

    /** Removes a message that ended without a completion in the queue. */
    void forget(Message message) {
        posted.remove(message.number());
    }

    private void completed(WorkCompletion completion) {
        Message message = posted.remove(completion.workId());
        if (message == null) {
            environment
                    .openStages()
                    .wrong("each request must complete once; request " + completion.workId()
                            + " completed a second time or was never posted");
        } else {
            message.ended(completion);
        }
    }

    /** Stops posting. */
    void stopPosting() {
        over = true;
    }

    boolean isOver() {
        return over || !environment.openStages().isClean();
    }

    /** Waits until all is posted. */
    void posted() {
        posters.forEach(environment::join);
    }

    private boolean isComplete() {
        return posted.isEmpty() && arriving.handled() == sent.get();
    }

    /** Waits until every stage has completed and, in a calm group, every request. */
    void settle() {
        posted();
        for (int i = 0; attributes.calm && i < MILLIS_FOR_COMPLETIONS && !isComplete() && !isOver(); i++) {
            Footprint.rest(1);
        }
        takers.forEach(CompletionConsumer::stop);
        environment.openStages().settle();
        if (attributes.calm) {
            WorkerEnvironment.check(
                    posted.isEmpty(), "every request must have completed; incomplete: " + posted.values());
            WorkerEnvironment.check(
                    isComplete(),
                    sent + " SENDs succeeded, so as many must have been received; received: " + arriving.handled()
                            + "; " + takers);
            long word = right.read(target, counter());
            WorkerEnvironment.check(
                    word == added.get(),
                    "the word must be " + added + ", the number of successful additions; it is " + word);
        }
    }
}
