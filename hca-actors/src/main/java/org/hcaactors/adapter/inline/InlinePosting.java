// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import org.hcaactors.adapter.flow.Sentences;
import org.hcaactors.adapter.flow.Uncopied;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;

// rule inline-addresses
/**
 * What is refused when it is posted, because a completion might carry it and nobody could copy it.
 *
 * @param foreign of the adapter
 */
public record InlinePosting(ForeignKeys foreign) {
    /** VerbsException (EINVAL) if one of them has no addresses of the process. */
    public void check(List<LocalSlice> buffers) {
        for (LocalSlice slice : buffers) {
            if (slice.lengthBytes() > 0) {
                foreign.find(slice.lkey()).ifPresent(addresses -> {
                    throw VerbsException.invalid(Sentences.of(new Uncopied.NotByAddress(slice.lkey(), addresses))
                            + "; where completions carry data, keys of the process's own addresses are allowed");
                });
            }
        }
    }
}
