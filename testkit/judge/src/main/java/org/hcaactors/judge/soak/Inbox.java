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

/** The shared receives of a crowd: what came is looked at, where it stands, and its buffer is posted again at once. */
final class Inbox {
    private final ConnectionGroup group;
    private final int buffers;
    private final AtomicLong handled = new AtomicLong();
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();

    Inbox(ConnectionGroup group, int buffers) {
        this.group = group;
        this.buffers = buffers;
    }

    void fill() {
        for (int i = 0; i < buffers; i++) {
            post(i);
        }
    }

    /** On the thread of whoever takes the completions. */
    void completed(WorkCompletion completion) {
        int buffer = (int) completion.workId();
        if (completion.isSuccess()) {
            verify(buffer, (int) completion.lengthBytes());
        } else if (group.attributes.calm()) {
            group.ground
                    .openStages()
                    .wrong("receive " + buffer + " should succeed, and ended with " + completion.status());
        }
        post(buffer);
        handled.incrementAndGet();
    }

    /** Messages that came, with their buffers posted again. */
    long handled() {
        return handled.get();
    }

    private void verify(int buffer, int length) {
        byte[] there;
        try {
            there = group.inbox.memory().read(offset(buffer), length);
        } catch (VerbsException unmapped) {
            return;
        }
        OpenStages openStages = group.ground.openStages();
        long number = MarkedBytes.number(there);
        group.ground.tally().verified.add(length);
        int at = Arrays.mismatch(there, MarkedBytes.of(number, length));
        if (at >= 0) {
            openStages.wrong("SEND " + number + " of " + length + " bytes arrived, and from byte " + at
                    + " on there is " + ByteDiff.at(there, at) + " instead");
        } else if (!seen.add(number)) {
            openStages.wrong("SEND " + number + " should arrive once, and arrived again");
        }
    }

    private void post(int buffer) {
        try {
            group.srq.postReceive(Receive.of(buffer, group.inbox.slice(offset(buffer), PostingThread.SLOT_BYTES)));
        } catch (VerbsException refused) {
            if (group.attributes.calm()) {
                group.ground.openStages().wrong("a receive should be taken, and was refused: " + refused.getMessage());
            }
        }
    }

    private static int offset(int buffer) {
        return buffer * PostingThread.SLOT_BYTES;
    }
}
