// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * A request that a reliable queue pair (RC, XRC or DC) accepts.
 *
 * <p>Immutable.
 */
public sealed interface RcWork extends WorkRequest
        permits Send, RdmaWrite, RdmaRead, CompareAndSwap, FetchAdd, MaskedCompareAndSwap, MaskedFetchAdd, KeyWork {
    /** Returns this request with other flags. */
    RcWork withFlags(SendFlags flags);
}
