// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why a message finds no receive. */
public enum NoReceive implements Reason {
    NONE_IS_POSTED,
    SHARED_QUEUE_IS_EMPTY,
    /** A test withholds receives from the queue pair. */
    STARVED
}
