// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/** What kind of pages memory stands on. These are all that there are. */
public enum PageType {
    /** Single pages of 4 KiB, wherever the host had them. */
    ANON,

    /** Huge pages of 2 MiB, from the pool that the host keeps of them. */
    HUGE,

    /** Blocks of pages that lie one behind the other in physical memory, all of one size. */
    CONTIG
}
