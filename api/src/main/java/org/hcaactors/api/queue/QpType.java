// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/** Type of a queue pair ({@code ibv_qp_type}). More will follow: a switch over them wants a default. */
public enum QpType {
    /** Reliable connected. */
    RC,
    /** Unreliable connected. */
    UC,
    /** Unreliable datagram. */
    UD,
    /** XRC initiator. */
    XRC_INI,
    /** XRC target. */
    XRC_TGT,
    /** DC initiator. */
    DC_INI,
    /** DC target. */
    DC_TGT;

    /** True if each message is delivered once and in order, or the sender gets an error. */
    public boolean isReliable() {
        return switch (this) {
            case RC, XRC_INI, XRC_TGT, DC_INI, DC_TGT -> true;
            case UC, UD -> false;
        };
    }
}
