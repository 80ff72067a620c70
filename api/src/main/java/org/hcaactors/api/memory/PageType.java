// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/** Type of the pages of a buffer. These are all that there are. */
public enum PageType {
    /** Single pages of 4 KiB, at any physical address. */
    ANON,

    /** Huge pages of 2 MiB from the host's pool. */
    HUGE,

    /** Physically contiguous blocks, all of one size. */
    CONTIG
}
