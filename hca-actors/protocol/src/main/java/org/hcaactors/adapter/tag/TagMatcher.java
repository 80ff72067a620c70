// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.mutation.MutationPoint;

/**
 * Matches messages with the receives of a tag list, and keeps the adapter and the program from missing each other's messages
 * and receives (rule tag-phase): a receive added while unexpected messages are on their way to the program matches nothing
 * until the program reports that it has handled them.
 */
public final class TagMatcher {
    private static final int COUNTER = 0xFFFF;

    /** Number of unexpected messages after which the program is asked to synchronize. */
    private static final int MAX_BEFORE_SYNC = 0x3FFF;

    private final TagList list = new TagList();

    /** Receives taken by messages, by serial number, and whether the program's request to remove one was refused. */
    private final Map<Long, Boolean> matched = new LinkedHashMap<>();

    /** 16-bit counters of unexpected messages: delivered, and handled according to the program's last report. */
    @MutationPoint("tag-matcher.delivered")
    private int delivered;

    private int handled;

    /**
     * Result of an operation.
     *
     * @param found false if a receive to be removed was not in the list
     * @param syncRequested the program should synchronize
     * @param removed the receive removed from the list
     */
    public record Done(boolean found, boolean syncRequested, Optional<TagEntry> removed) {}

    /** @param added serial number of the receive that is added, if any */
    public Done carryOut(TagOperation operation, long added) {
        synchronize(operation.handled());
        Optional<TagEntry> left = Optional.empty();
        boolean isThere = true;
        switch (operation) {
            case TagAdd add -> list.append(TagEntry.of(added, add), isInStep());
            case TagDelete delete -> {
                long serial = delete.receive().serial();
                left = list.remove(serial);
                isThere = left.isPresent();
                matched.computeIfPresent(serial, (same, refused) -> true);
            }
            case TagSync sync -> {}
        }
        return new Done(isThere, !isInStep(), left);
    }

    private void synchronize(OptionalInt handledCount) {
        if (handledCount.isPresent()) {
            handled = handledCount.getAsInt() & COUNTER;
            if (isInStep()) {
                list.allMatch();
            }
        }
    }

    @MutationPoint("tag-matcher.is-in-step")
    private boolean isInStep() {
        return delivered == handled;
    }

    /** Removes and returns the receive that matches that tag; empty if none does. */
    public Optional<TagEntry> match(long tag) {
        Optional<TagEntry> found = list.take(tag);
        found.ifPresent(entry -> matched.put(entry.serial(), false));
        return found;
    }

    /** The message that has the receive is finished. */
    public void finished(TagEntry entry) {
        matched.remove(entry.serial());
    }

    /** Counts an unexpected message that is delivered to the program. Returns true if the program should synchronize. */
    @MutationPoint("tag-matcher.deliver")
    public boolean deliver() {
        delivered = delivered + 1 & COUNTER;
        return (delivered - handled & COUNTER) > MAX_BEFORE_SYNC;
    }

    // rules tag-returned, tag-delete-race
    /**
     * Puts a receive back whose message is abandoned. Returns false if a removal of it was refused meanwhile: then it is not
     * put back in the list.
     */
    public boolean takeBack(TagEntry entry) {
        boolean wasRefused = Boolean.TRUE.equals(matched.remove(entry.serial()));
        if (!wasRefused) {
            list.putBack(entry);
        }
        return !wasRefused;
    }

    /** Takes back the count of an unexpected message that is abandoned. */
    public void undeliver() {
        delivered = delivered - 1 & COUNTER;
        if (isInStep()) {
            list.allMatch();
        }
    }

    public TagSnapshot snapshot() {
        return TagSnapshot.of(list.size())
                .withNotMatching(list.notMatching())
                .withUnexpected(delivered)
                .withHandled(handled);
    }
}
