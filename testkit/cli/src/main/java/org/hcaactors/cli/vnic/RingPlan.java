// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.vnic;

import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.cli.vnic.RingParameters.Parameter;

// rule firmware-rings
/**
 * Rings of one port of a virtual NIC, and their host memory. Immutable.
 *
 * @param txRings number of transmit rings
 * @param txLength number of entries of each transmit ring
 * @param rxRings number of receive rings
 * @param rxLength number of entries of each receive ring
 * @param bufferBytes size of the buffer of each receive entry
 */
public record RingPlan(int txRings, int txLength, int rxRings, int rxLength, int bufferBytes) {
    /** The driver's maximum, for any number of processors. */
    private static final int MAX_RINGS = 32;

    private static final int TX_DESCRIPTOR_BYTES = 64;
    private static final int RX_DESCRIPTOR_BYTES = 16;

    /** Bytes around a frame: its header, the encapsulation, and the kernel's headroom. */
    private static final int AROUND_A_FRAME = 128;

    /** Returns the rings that the driver creates on that host. */
    public static RingPlan of(RingParameters parameters, RingHost host) {
        return new RingPlan(
                rings(parameters.value(Parameter.TX_RINGS_NUM), host),
                parameters.value(Parameter.TX_RINGS_LEN),
                rings(parameters.value(Parameter.RX_RINGS_NUM), host),
                parameters.value(Parameter.RX_RINGS_LEN),
                powerOfTwo(host.mtu() + AROUND_A_FRAME));
    }

    private static int rings(int requested, RingHost host) {
        return requested == 0 ? Math.min(host.vectors(), Math.min(host.processors(), MAX_RINGS)) : requested;
    }

    private static int powerOfTwo(int bytes) {
        return Integer.highestOneBit(bytes - 1) << 1;
    }

    /** Returns the size of the descriptors; the sender owns the transmit buffers. */
    public long txBytes() {
        return (long) txRings * txLength * TX_DESCRIPTOR_BYTES;
    }

    /** Returns the size of the receive buffers. */
    public long rxBufferBytes() {
        return (long) rxRings * rxLength * bufferBytes;
    }

    public long rxDescriptorBytes() {
        return (long) rxRings * rxLength * RX_DESCRIPTOR_BYTES;
    }

    // rule firmware-rings
    /**
     * Loads the driver.
     *
     * @throws VerbsException (ENOMEM) if the driver's domain has less memory than the rings need; the message says what helps
     */
    public void load(RingHost host) {
        if (totalBytes() > host.memoryBytes()) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "the rings need %d bytes a port, but the driver's domain has %d: increase dom0_mem, or lower the number and the length of the rings (rx_rings_num, rx_rings_len, tx_rings_num, tx_rings_len)"
                            .formatted(totalBytes(), host.memoryBytes()));
        }
    }

    public long totalBytes() {
        return txBytes() + rxBufferBytes() + rxDescriptorBytes();
    }
}
