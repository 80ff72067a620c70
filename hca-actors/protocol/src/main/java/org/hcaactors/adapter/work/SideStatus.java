// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** What an input has left of a half of a queue pair. */
public enum SideStatus {
    RUNNING,
    /** A request of its own, or the half itself, has failed: the queue pair leaves its state. */
    FAILED
}
