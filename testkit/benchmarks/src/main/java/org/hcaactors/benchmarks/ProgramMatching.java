// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** An ordinary shared receive queue: the program reads the header of each message, matches the tag, and copies the data. */
final class ProgramMatching implements Matching {
    private static final int MESSAGE = TagHeader.BYTES + BYTES;
    private static final int MESSAGES_FROM = WINDOW * BYTES;

    private final Side memory;
    private final CompletionQueue completions;
    private final SharedReceiveQueue queue;
    private final WaitingReceives waiting = new WaitingReceives();
    private final Receive[] receives;

    ProgramMatching(RdmaNetwork network, Side memory, int others) {
        this.memory = memory;
        completions = network.await(memory.context().createCq(4 * WINDOW));
        queue = network.await(
                memory.domain().createSrq(SrqDescription.of(WINDOW).withMaxSge(1)));
        for (int i = 0; i < others; i++) {
            waiting.append(new WaitingReceives.Waiting(TAG + 1 + i, TagAdd.EXACTLY, 0));
        }
        for (int i = 0; i < WINDOW; i++) {
            waiting.append(new WaitingReceives.Waiting(TAG, TagAdd.EXACTLY, i));
        }
        receives = IntStream.range(0, WINDOW)
                .mapToObj(i -> Receive.of(i, memory.slice(MESSAGES_FROM + (long) i * MESSAGE, MESSAGE)))
                .toArray(Receive[]::new);
        for (Receive each : receives) {
            queue.postReceive(each);
        }
    }

    @Override
    public SharedReceiveQueue queue() {
        return queue;
    }

    @Override
    public CompletionQueue completions() {
        return completions;
    }

    @Override
    public boolean ended(WorkCompletion completion) {
        int place = (int) completion.workId();
        byte[] message = memory.memory().read(MESSAGES_FROM + (long) place * MESSAGE, MESSAGE);
        TagHeader header = TagHeader.read(ByteBuffer.wrap(message)).orElseThrow();
        WaitingReceives.Waiting found = waiting.take(header.tag());
        memory.memory().write((long) found.number * BYTES, Arrays.copyOfRange(message, TagHeader.BYTES, MESSAGE));
        waiting.append(found);
        queue.postReceive(receives[place]);
        return true;
    }
}
