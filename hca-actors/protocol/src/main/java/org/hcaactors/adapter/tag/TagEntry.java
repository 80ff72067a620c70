// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;

/**
 * A receive in a tag list.
 *
 * @param serial number of the receive within the list, in posting order
 */
public record TagEntry(long serial, Receive receive, long tag, long mask) {
    static TagEntry of(long serial, TagAdd add) {
        return new TagEntry(serial, add.receive(), add.tag(), add.mask());
    }

    // rule tag-match
    @MutationPoint("tag-entry.matches")
    boolean matches(long requested) {
        return (requested & mask) == tag;
    }
}
