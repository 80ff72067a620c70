// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;

/** What a region shows, and holds on to meanwhile. */
interface Backing {
    /** Where the range begins under the key. */
    long address();

    long lengthBytes();

    /** From an address under the key to that of the byte in the process. */
    long shift();

    /** How many pages its translation has. */
    long pages();

    HostMemory memory();

    /** The key of a region of that domain that shows it. */
    TranslatedKey behind(int key, int domain, AccessFlags rights);

    /** The region is made, and can be named. */
    void heldBy(Handle region);

    /** No key shows it any more; again does nothing. */
    void release();
}
