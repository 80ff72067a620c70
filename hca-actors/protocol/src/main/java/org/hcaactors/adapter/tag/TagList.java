// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Receives that wait for a tag, in the order of their adding. Those at its end may match nothing yet; whatever one of these would
 * have matched is matched by none (rule tag-phase).
 */
final class TagList {
    private final List<TagEntry> entries = new ArrayList<>();

    /** So many from the head match. */
    private int matching;

    int size() {
        return entries.size();
    }

    int notMatching() {
        return entries.size() - matching;
    }

    /** @param matches all before it do, too, if it does */
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
    /** Takes the first that waits for that tag. */
    Optional<TagEntry> take(long tag) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).matches(tag)) {
                return i < matching ? Optional.of(remove(i)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Takes that one out; empty if it is not there. */
    Optional<TagEntry> remove(long serial) {
        int at = firstFrom(serial);
        return at < entries.size() && entries.get(at).serial() == serial ? Optional.of(remove(at)) : Optional.empty();
    }

    /** Where that one stands, or would. */
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

    /** One that was taken stands where it stood. */
    void putBack(TagEntry entry) {
        entries.add(firstFrom(entry.serial()), entry);
        matching++;
    }
}
