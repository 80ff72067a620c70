// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.hcaactors.adapter.stage.Reply;

/** What the pager knows of one range: the invalidations that run in it, who waits for their end, and what went last. */
final class InvalidationTracker {
    /** Departures that are remembered, for who asks why a page is absent. */
    private static final int REMEMBERED = 64;

    private record Departed(long address, long count, long event) {}

    private final int key;
    private final Deque<Departed> departed = new ArrayDeque<>(0);
    private final List<Reply<Void>> drains = new ArrayList<>(0);
    private List<PagingJob> waiting = new ArrayList<>(0);
    private int running;
    private long ended;
    private long last;
    private int prefetches;

    InvalidationTracker(int key) {
        this.key = key;
    }

    int key() {
        return key;
    }

    /** @param event the event of it, 0 where nothing is traced */
    void begins(long address, long count, long event) {
        running++;
        last = event;
        if (departed.size() == REMEMBERED) {
            departed.removeFirst();
        }
        departed.addLast(new Departed(address, count, event));
    }

    /** Returns who waited for it, where it was the last one. */
    List<PagingJob> ends() {
        running--;
        ended++;
        return running == 0 ? takeWaiting() : List.of();
    }

    boolean isRunning() {
        return running > 0;
    }

    /** Changes whenever an invalidation has ended. */
    long sequence() {
        return ended;
    }

    /** The event of the last invalidation that began. */
    long last() {
        return last;
    }

    /** The event by which a byte of the range went last, 0 where that is not known. */
    long departureOf(long address, long count) {
        for (Iterator<Departed> newest = departed.descendingIterator(); newest.hasNext(); ) {
            Departed each = newest.next();
            if (each.address < address + count && address < each.address + each.count) {
                return each.event;
            }
        }
        return 0;
    }

    void await(PagingJob job) {
        waiting.add(job);
    }

    void gaveUp(PagingJob job) {
        waiting.remove(job);
    }

    List<PagingJob> takeWaiting() {
        List<PagingJob> all = waiting;
        waiting = new ArrayList<>(0);
        return all;
    }

    void prefetches(int more) {
        prefetches += more;
        if (prefetches == 0) {
            drains.forEach(Reply::done);
            drains.clear();
        }
    }

    int pending() {
        return prefetches;
    }

    void drained(Reply<Void> reply) {
        if (prefetches == 0) {
            Reply.done(reply);
        } else {
            drains.add(reply);
        }
    }
}
