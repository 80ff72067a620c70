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
    XRC_TGT,
    /** Dynamically connected: what asks. */
    DC_INI,
    /** Dynamically connected: what is asked. */
    DC_TGT;

    /** Each of its messages is delivered once and in order, or its sender is told. */
    public boolean isReliable() {
        return switch (this) {
            case RC, XRC_INI, XRC_TGT, DC_INI, DC_TGT -> true;
            case UC, UD -> false;
        };
    }
}
