// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Receives of a tag list, in posting order. Receives at the end may not match yet; a message that one of these would have
 * matched matches none (rule tag-phase).
 */
final class TagList {
    private final List<TagEntry> entries = new ArrayList<>();

    /** Number of receives, from the head, that match. */
    private int matching;

    int size() {
        return entries.size();
    }

    int notMatching() {
        return entries.size() - matching;
    }

    /** @param matches if set, all receives before it match, too */
    void append(TagEntry entry, boolean matches) {
        entries.add(entry);
        if (matches) {
            allMatch();
        }
    }

    void allMatch() {
        matching = entries.size();
    }

    // rule tag-match
    /** Removes and returns the first receive that matches that tag. */
    Optional<TagEntry> take(long tag) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).matches(tag)) {
                return i < matching ? Optional.of(remove(i)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Removes that receive; empty if it is not in the list. */
    Optional<TagEntry> remove(long serial) {
        int at = firstFrom(serial);
        return at < entries.size() && entries.get(at).serial() == serial ? Optional.of(remove(at)) : Optional.empty();
    }

    /** Index of that receive, or where it would be. */
    private int firstFrom(long serial) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).serial() < serial) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private TagEntry remove(int at) {
        if (at < matching) {
            matching--;
        }
        return entries.remove(at);
    }

    /** Puts a removed receive back in its place. */
    void putBack(TagEntry entry) {
        entries.add(firstFrom(entry.serial()), entry);
        matching++;
    }
}
