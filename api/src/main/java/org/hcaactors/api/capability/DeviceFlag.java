// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

// rule event-device-flags
/**
 * A flag of {@code device_cap_flags}, under its name in {@code ibv_device_cap_flags}. {@link
 * org.hcaactors.api.device.Profile#deviceFlags} derives the flags from the other capabilities. More will follow: a switch over
 * them wants a default.
 */
public enum DeviceFlag {
    /** The port counts packets with a P_Key of another partition. */
    BAD_PKEY_CNTR(1),

    /** The port counts datagrams with a wrong Q_Key. */
    BAD_QKEY_CNTR(2),

    /** A queue pair in SQD can be given its port again. */
    CHANGE_PHY_PORT(5),

    /** The port raises PORT_ACTIVE. */
    PORT_ACTIVE_EVENT(10),

    /** The adapter has a system image GUID. */
    SYS_IMAGE_GUID(11),

    /** A responder without a receive answers with an RNR NAK. */
    RC_RNR_NAK_GEN(12),

    /** Shared receive queues can be resized. */
    SRQ_RESIZE(13),

    /** Memory windows of type 1. */
    MEM_WINDOW(17),

    /** Extended reliable connected transport. */
    XRC(20),

    /** Requests change keys: local invalidation, and SEND with invalidate. */
    MEM_MGT_EXTENSIONS(21),

    /** Memory windows of type 2A. */
    MEM_WINDOW_TYPE_2A(23),

    /** Memory windows of type 2B. */
    MEM_WINDOW_TYPE_2B(24);

    private final int bit;

    DeviceFlag(int bit) {
        this.bit = bit;
    }

    /** Returns the flag's bit, as a mask. */
    public long mask() {
        return 1L << bit;
    }
}
