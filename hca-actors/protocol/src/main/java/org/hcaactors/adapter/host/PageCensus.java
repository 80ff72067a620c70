// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

/**
 * Where the pages of a range are.
 *
 * @param resident in physical memory
 * @param untouched nowhere, as nobody has touched them
 * @param evicted to be read back
 */
public record PageCensus(long resident, long untouched, long evicted) {
    public static final PageCensus NONE = new PageCensus(0, 0, 0);

    PageCensus plus(PageCensus more) {
        return new PageCensus(resident + more.resident, untouched + more.untouched, evicted + more.evicted);
    }

    public long pages() {
        return resident + untouched + evicted;
    }
}
