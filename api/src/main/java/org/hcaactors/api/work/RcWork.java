// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * What a reliable connected queue pair carries.
 *
 * <p>Immutable.
 */
public sealed interface RcWork extends WorkRequest
        permits Send, RdmaWrite, RdmaRead, CompareAndSwap, FetchAdd, MaskedCompareAndSwap, MaskedFetchAdd, KeyWork {
    /** This request with other flags. */
    RcWork withFlags(SendFlags flags);
}
