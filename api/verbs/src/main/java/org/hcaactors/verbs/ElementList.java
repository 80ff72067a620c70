// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.Arrays;
import java.util.List;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;

/** Scatter-gather lists ({@code struct ibv_sge}) as element records of the contract. */
final class ElementList {
    /** Maximum number of elements of one list; no adapter takes as many. */
    static final int MAX = 1 << 16;

    private ElementList() {}

    /** Reads {@code count} elements from an address. */
    static List<LocalSlice> read(long at, int count) {
        if (count == 1) {
            return List.of(element(at));
        }
        if (count < 0 || count > MAX) {
            throw VerbsException.invalid("the list has " + count + " elements; 0 to " + MAX + " is allowed");
        }
        LocalSlice[] all = new LocalSlice[count];
        for (int index = 0; index < count; index++) {
            all[index] = element(at + (long) index * Calls.Element.BYTES);
        }
        return Arrays.asList(all);
    }

    private static LocalSlice element(long at) {
        return new LocalSlice(
                AddressSpace.getInt(at + Calls.Element.LKEY),
                AddressSpace.getLong(at + Calls.Element.ADDRESS),
                AddressSpace.getInt(at + Calls.Element.LENGTH));
    }
}
