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
 * Compares the tags of messages with those of a list, and keeps program and adapter from each overlooking what the other has
 * (rule tag-phase): a receive that is added while unexpected messages are on their way to the program matches nothing until the
 * program says that it has dealt with them.
 */
public final class TagMatcher {
    private static final int COUNTER = 0xFFFF;

    /** So many unexpected messages may pass before the program is asked to speak. */
    private static final int SILENCE = 0x3FFF;

    private final TagList list = new TagList();

    /** Receives that messages have, by their numbers: whether the program was refused to have one back. */
    private final Map<Long, Boolean> taken = new LinkedHashMap<>();

    /** Unexpected messages, of 16 bits: delivered, and dealt with as the program said last. */
    @MutationPoint("tag-matcher.delivered")
    private int delivered;

    private int handled;

    /**
     * What became of an operation.
     *
     * @param syncRequested the program should say what it has dealt with
     * @param left the receive that is in the list no more
     */
    public record Done(boolean isThere, boolean syncRequested, Optional<TagEntry> left) {}

    /** @param added number of the receive that is added, if one is */
    public Done carryOut(TagOperation operation, long added) {
        hear(operation.handled());
        Optional<TagEntry> left = Optional.empty();
        boolean isThere = true;
        switch (operation) {
            case TagAdd add -> list.append(TagEntry.of(added, add), isInStep());
            case TagDelete delete -> {
                long serial = delete.receive().serial();
                left = list.remove(serial);
                isThere = left.isPresent();
                taken.computeIfPresent(serial, (same, refused) -> true);
            }
            case TagSync sync -> {}
        }
        return new Done(isThere, !isInStep(), left);
    }

    private void hear(OptionalInt said) {
        if (said.isPresent()) {
            handled = said.getAsInt() & COUNTER;
            if (isInStep()) {
                list.allMatch();
            }
        }
    }

    @MutationPoint("tag-matcher.is-in-step")
    private boolean isInStep() {
        return delivered == handled;
    }

    /** What waits for that tag, taken out of the list; empty if nothing does. */
    public Optional<TagEntry> match(long tag) {
        Optional<TagEntry> found = list.take(tag);
        found.ifPresent(entry -> taken.put(entry.serial(), false));
        return found;
    }

    /** No more is to come of the message that has it. */
    public void over(TagEntry entry) {
        taken.remove(entry.serial());
    }

    /** A message goes to the program as unexpected. True if the program should say what it has dealt with. */
    @MutationPoint("tag-matcher.deliver")
    public boolean deliver() {
        delivered = delivered + 1 & COUNTER;
        return (delivered - handled & COUNTER) > SILENCE;
    }

    // rules tag-returned, tag-delete-race
    /**
     * A message that was matched will not come. False where the program was told that one has the receive: then it does not stand in
     * the list again.
     */
    public boolean takeBack(TagEntry entry) {
        boolean wasRefused = Boolean.TRUE.equals(taken.remove(entry.serial()));
        if (!wasRefused) {
            list.putBack(entry);
        }
        return !wasRefused;
    }

    /** A message that was to be unexpected will not come. */
    public void undeliver() {
        delivered = delivered - 1 & COUNTER;
        if (isInStep()) {
            list.allMatch();
        }
    }

    public TagSnapshot snapshot() {
        return new TagSnapshot(list.size(), list.notMatching(), delivered, handled);
    }
}
