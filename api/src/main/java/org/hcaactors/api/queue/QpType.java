// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/** What kind a queue pair is ({@code ibv_qp_type}). More kinds will follow: a switch over them wants a default. */
public enum QpType {
    /** Reliable connected. */
    RC,
    /** Unreliable connected. */
    UC,
    /** Unreliable datagram. */
    UD
}
