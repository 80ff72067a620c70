// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that add and delete, and queue pairs that match and give back, on several threads. */
@Param(name = "tag", gen = IntGen.class, conf = "1:9")
@Param(name = "serial", gen = IntGen.class, conf = "1:4")
@Tag("judge")
public class TagQueueThreadsTest {
    private static final int QUEUE = 3;
    private static final SlotOwner NO_SLOTS = slots -> {};

    private final SharedReceives receives = new SharedReceives();
    private final StringBuffer completions = new StringBuffer();
    private final TagQueue queue = new TagQueue(
            receives,
            NO_SLOTS,
            new TagSlots(8, 8),
            new TagQueue.CompletionWriter(1, batch -> completions.append(batch.entries()[0].workId())),
            new TagTrace(QUEUE, new AdapterTrace(TraceSink.NONE, () -> 0, "a")));

    /** Returns the serial number. */
    @Operation
    public long add(int tag) {
        return queue.execute(TagAdd.of(tag, Receive.of(tag), tag).withSignaled());
    }

    @Operation
    public void delete(int serial) {
        queue.execute(TagDelete.of(serial, new TagHandle(QUEUE, serial)).withSignaled());
    }

    @Operation
    public void post(int tag) {
        receives.add(Receive.of(tag));
    }

    /** Returns the id of the receive; 0 for none. */
    @Operation
    public long match(int tag) {
        return queue.match(new TagOpening.Eager(TagHeader.eager(0, tag)), 7, 0)
                .map(found -> found.receive().id())
                .orElse(0L);
    }

    @Operation
    public void close() {
        queue.close();
    }

    /** Returns the completions so far, in order. */
    @Operation
    public String completed() {
        return completions.toString();
    }

    @Operation
    public int listed() {
        return queue.snapshot().tags();
    }

    // rules tag-match, tag-operations-ordered
    @Test
    void aReceiveMatchesOneMessageOrIsDeleted() {
        Interleavings.of(TagQueueThreadsTest.class)
                .before("add 5")
                .thread("match 5")
                .thread("delete 1")
                .thread("match 5")
                .after("listed", "completed")
                .inAnyOrder();
    }

    // rules tag-srq, tag-operations-ordered
    @Test
    void completionsOfOperationsAreInTheirOrder() {
        Interleavings.of(TagQueueThreadsTest.class)
                .thread("add 5", "add 6")
                .thread("add 7", "match 5")
                .after("completed", "listed")
                .inAnyOrder();
    }

    // rule tag-unexpected
    @Test
    void anUnexpectedMessageTakesEachOtherReceiveOnce() {
        Interleavings.of(TagQueueThreadsTest.class)
                .before("post 1")
                .thread("match 5")
                .thread("post 2", "match 6")
                .after("match 7")
                .inAnyOrder();
    }

    @Test
    void nothingMatchesInAQueueInError() {
        Interleavings.of(TagQueueThreadsTest.class)
                .before("add 5", "post 1")
                .thread("match 5", "match 6")
                .thread("close")
                .after("match 5")
                .inAnyOrder();
    }
}
