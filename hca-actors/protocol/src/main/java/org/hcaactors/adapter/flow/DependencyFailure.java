// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Failures of objects that a queue pair depends on, which take the queue pair to the error state. */
public enum DependencyFailure implements Reason {
    ITS_ACTOR,
    COMPLETION_QUEUE,
    SHARED_RECEIVES,
    DEVICE
}
