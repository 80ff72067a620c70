// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.MarkedBytes;

/** Shared receives of a group: an arrived message is checked in place, and its buffer is posted again at once. */
final class Inbox {
    private final ConnectionGroup group;
    private final int buffers;
    private final AtomicLong handled = new AtomicLong();
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();

    Inbox(ConnectionGroup group, int buffers) {
        this.group = group;
        this.buffers = buffers;
    }

    void postReceives() {
        for (int i = 0; i < buffers; i++) {
            post(i);
        }
    }

    /** Handles a completion, on the consumer's thread. */
    void completed(WorkCompletion completion) {
        int buffer = (int) completion.workId();
        if (completion.isSuccess()) {
            verify(buffer, (int) completion.lengthBytes());
        } else if (group.attributes.calm()) {
            group.environment
                    .openStages()
                    .wrong("receive " + buffer + " must succeed, but ended with " + completion.status());
        }
        post(buffer);
        handled.incrementAndGet();
    }

    /** Returns the number of messages that arrived and whose buffers were posted again. */
    long handled() {
        return handled.get();
    }

    private void verify(int buffer, int length) {
        byte[] found;
        try {
            found = group.inbox.memory().read(offset(buffer), length);
        } catch (VerbsException unmapped) {
            return;
        }
        OpenStages openStages = group.environment.openStages();
        long number = MarkedBytes.number(found);
        group.environment.tally().verified.add(length);
        int at = Arrays.mismatch(found, MarkedBytes.of(number, length));
        if (at >= 0) {
            openStages.wrong("SEND " + number + " of " + length + " bytes arrived with other bytes from byte " + at
                    + " on: " + ByteDiff.at(found, at));
        } else if (!seen.add(number)) {
            openStages.wrong("SEND " + number + " must arrive once, but arrived a second time");
        }
    }

    private void post(int buffer) {
        try {
            group.srq.postReceive(Receive.of(buffer, group.inbox.slice(offset(buffer), PostingThread.SLOT_BYTES)));
        } catch (VerbsException refused) {
            if (group.attributes.calm()) {
                group.environment
                        .openStages()
                        .wrong("a receive must be accepted, but was refused: " + refused.getMessage());
            }
        }
    }

    private static int offset(int buffer) {
        return buffer * PostingThread.SLOT_BYTES;
    }
}
