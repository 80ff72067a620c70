// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.lease.Lease;

/** A kind of memory key: what stands behind it, and how it is leased. */
public interface TranslatedKey {
    /** Variant included. */
    int key();

    Lease lease(long grant, Lease.Origin origin);
}
