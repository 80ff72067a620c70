// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Kinds of access that find a page absent (rule paging-fault). */
public enum PageFaultKind {
    /** A request reads the data that it sends. */
    GATHER,
    /** A response is written to the local memory of its request. */
    RESPONSE,
    /** A message is written to the memory of a receive. */
    RECEIVE,
    /** A peer's READ, WRITE or atomic accesses memory. */
    REMOTE
}
