// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/** What kind a queue pair is ({@code ibv_qp_type}). More kinds will follow: a switch over them wants a default. */
public enum QpType {
    /** Reliable connected. */
    RC,
    /** Unreliable connected. */
    UC,
    /** Unreliable datagram. */
    UD,
    /** Extended reliable connected: what asks. */
    XRC_INI,
    /** Extended reliable connected: what is asked. */
    XRC_TGT;

    /** Each of its messages is delivered once and in order, or its sender is told. */
    public boolean isReliable() {
        return this == RC || this == XRC_INI || this == XRC_TGT;
    }
}
