// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.vnic;

import java.util.Set;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * The host on which the driver is loaded. Immutable.
 *
 * @param processors processors online, 1 to 65,536
 * @param vectors completion vectors of the adapter, 1 to 65,536
 * @param mtu MTU of the virtual NIC, 68 to {@value #MAX_MTU}
 * @param memoryBytes memory of the driver's domain, as {@code dom0_mem} sets it for a hypervisor's first domain; at least 1
 */
public record RingHost(int processors, int vectors, int mtu, long memoryBytes) {
    public static final int DEFAULT_MTU = 1500;

    /** Part ids of ConnectX-3 and ConnectX-3 Pro, the only adapters that the driver binds to. */
    private static final Set<Integer> SUPPORTED_PART_IDS = Set.of(4099, 4103);

    /** Largest frame in an InfiniBand MTU of 4096. */
    public static final int MAX_MTU = 4034;

    private static final int MIN_MTU = 68;
    private static final int MAX_COUNT = 1 << 16;

    /**
     * Checks the values.
     *
     * @throws VerbsException (EINVAL) if a value is out of range
     */
    public RingHost {
        within("processors", processors, 1, MAX_COUNT);
        within("vectors", vectors, 1, MAX_COUNT);
        within("mtu", mtu, MIN_MTU, MAX_MTU);
        if (memoryBytes < 1) {
            throw VerbsException.invalid("the domain has " + memoryBytes + " bytes of memory; at least 1 is required");
        }
    }

    /** Creates a host with unlimited memory. */
    public RingHost(int processors, int vectors, int mtu) {
        this(processors, vectors, mtu, Long.MAX_VALUE);
    }

    // rule firmware-mlx4
    /**
     * Returns the host of that adapter in its current state.
     *
     * @throws VerbsException (EOPNOTSUPP) if the driver does not bind to the adapter
     */
    public static RingHost of(Adapter adapter, int processors, int mtu) {
        checkDriven(adapter.profile());
        long free = adapter.freeMemory().stream().mapToLong(FreeMemory::bytes).sum();
        return new RingHost(processors, adapter.profile().completions().vectors(), mtu, Math.max(1, free));
    }

    /**
     * Checks that the driver binds to the model.
     *
     * @throws VerbsException (EOPNOTSUPP) if it does not
     */
    public static void checkDriven(Profile model) {
        if (!SUPPORTED_PART_IDS.contains(model.vendorPartId())) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "mlx4_vnic does not support " + model.name() + "; it supports " + Profile.CONNECTX_3.name());
        }
    }

    private static void within(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.invalid(what + " is " + value + "; " + min + " to " + max + " is allowed");
        }
    }
}
