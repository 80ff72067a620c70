// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** Status of a requester or responder after an input. */
public enum SideStatus {
    RUNNING,
    /** A request, or the half itself, has failed: the queue pair leaves its state. */
    FAILED
}
