// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Set;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;

// rules paging-transports, paging-synchronous
/**
 * Page waits of a queue pair.
 *
 * @param uses the kinds of access that wait
 * @param inPlace packets wait where they are, and nothing is sent again
 */
public record PageWaits(Set<Use> uses, boolean inPlace) {
    public static final PageWaits NONE = new PageWaits(Set.of(), false);

    static PageWaits of(PagingCapabilities paging, Transport transport) {
        return new PageWaits(paging.uses(transport), paging.has(Feature.SYNCHRONOUS));
    }
}
