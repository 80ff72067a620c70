// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

/**
 * Numbers of a range's pages by state.
 *
 * @param resident in physical memory
 * @param untouched never touched, so that they have no content yet
 * @param evicted to be read back
 */
public record PageCounts(long resident, long untouched, long evicted) {
    public static final PageCounts NONE = new PageCounts(0, 0, 0);

    PageCounts plus(PageCounts more) {
        return new PageCounts(resident + more.resident, untouched + more.untouched, evicted + more.evicted);
    }

    public long pages() {
        return resident + untouched + evicted;
    }
}
