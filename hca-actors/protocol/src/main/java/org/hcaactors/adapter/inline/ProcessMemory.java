// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;

/**
 * Memory of a process, as its library accesses it.
 *
 * @param process name of the process
 * @param foreign keys of the adapter whose addresses are not the process's
 */
public record ProcessMemory(String process, AddressSpace space, RemappedKeys foreign) {
    // rule inline-addresses
    /**
     * Checks the buffers of a posted request that may have inline data. VerbsException (EINVAL) if one of the keys has no
     * addresses of the process, since the data could not be copied.
     */
    public void check(List<LocalSlice> buffers) {
        for (LocalSlice slice : buffers) {
            if (slice.lengthBytes() > 0) {
                foreign.find(slice.lkey()).ifPresent(addresses -> {
                    throw VerbsException.invalid(
                            ReasonTexts.of(new InlineCopyFailed.NotByAddress(slice.lkey(), addresses))
                                    + "; if completions carry data, only keys with the process's own addresses are allowed");
                });
            }
        }
    }

    // rules inline-addresses, inline-unmapped
    /** Returns why the first {@code count} bytes of the slice, at least one, can't be written. */
    Optional<InlineCopyFailed> refusal(LocalSlice slice, int count) {
        Optional<InlineCopyFailed> foreigner =
                foreign.find(slice.lkey()).map(addresses -> new InlineCopyFailed.NotByAddress(slice.lkey(), addresses));
        return foreigner.isPresent() || isMapped(slice.address(), count)
                ? foreigner
                : Optional.of(new InlineCopyFailed.NothingMapped(slice.address(), count));
    }

    /** The range must not exceed the last address. */
    private boolean isMapped(long address, int count) {
        return address <= Long.MAX_VALUE - count
                && space.firstUnmapped(address, count).isEmpty();
    }
}
