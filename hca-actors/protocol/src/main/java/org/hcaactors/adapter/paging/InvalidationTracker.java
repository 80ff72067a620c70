// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.hcaactors.adapter.stage.Reply;

/** Invalidations of one range: those running, the jobs that wait for their end, and the last ones. */
final class InvalidationTracker {
    /** Number of invalidations remembered, to explain why a page is absent. */
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

    /** @param event event of the invalidation, 0 if nothing is traced */
    void begin(long address, long count, long event) {
        running++;
        last = event;
        if (departed.size() == REMEMBERED) {
            departed.removeFirst();
        }
        departed.addLast(new Departed(address, count, event));
    }

    /** Ends an invalidation; returns the jobs that waited if no other one runs. */
    List<PagingJob> ends() {
        running--;
        ended++;
        return running == 0 ? takeWaiting() : List.of();
    }

    boolean isRunning() {
        return running > 0;
    }

    /** Number that changes whenever an invalidation ends. */
    long sequence() {
        return ended;
    }

    /** Event of the invalidation that began last. */
    long last() {
        return last;
    }

    /** Event of the last invalidation of a byte of that range, 0 if unknown. */
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

    void stopWaiting(PagingJob job) {
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
