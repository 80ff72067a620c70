// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why a queue pair is broken although it did nothing wrong: what it depends on is. */
public enum DependencyFailure implements Reason {
    ITS_ACTOR,
    COMPLETION_QUEUE,
    SHARED_RECEIVES,
    DEVICE
}
