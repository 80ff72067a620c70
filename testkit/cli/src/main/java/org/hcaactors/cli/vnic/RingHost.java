// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.vnic;

import java.util.Set;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * The machine that the driver is loaded on. Immutable.
 *
 * @param processors online, 1 to 65,536
 * @param vectors of completions that the adapter has, 1 to 65,536
 * @param mtu of the virtual NIC, 68 to {@value #MOST_MTU}
 * @param memoryBytes that the driver's domain has, as {@code dom0_mem} gives it to a hypervisor's first one; 1 or more
 */
public record RingHost(int processors, int vectors, int mtu, long memoryBytes) {
    public static final int DEFAULT_MTU = 1500;

    /** Of ConnectX-3 and ConnectX-3 Pro: the driver binds to these alone. */
    private static final Set<Integer> DRIVEN = Set.of(4099, 4103);

    /** What an InfiniBand MTU of 4096 leaves for a frame. */
    public static final int MAX_MTU = 4034;

    private static final int MIN_MTU = 68;
    private static final int MANY = 1 << 16;

    /** VerbsException (EINVAL) for what no machine has. */
    public RingHost {
        within("processors", processors, 1, MANY);
        within("vectors", vectors, 1, MANY);
        within("mtu", mtu, MIN_MTU, MAX_MTU);
        if (memoryBytes < 1) {
            throw VerbsException.invalid("a domain with " + memoryBytes + " bytes of memory; 1 and more are allowed");
        }
    }

    /** One whose domain has memory for whatever is asked for. */
    public RingHost(int processors, int vectors, int mtu) {
        this(processors, vectors, mtu, Long.MAX_VALUE);
    }

    // rule firmware-mlx4
    /** The host of that adapter as it is now; VerbsException (EOPNOTSUPP) for an adapter that the driver does not bind to. */
    public static RingHost of(Adapter adapter, int processors, int mtu) {
        checkDriven(adapter.profile());
        long free = adapter.freeMemory().stream().mapToLong(FreeMemory::bytes).sum();
        return new RingHost(processors, adapter.profile().completions().vectors(), mtu, Math.max(1, free));
    }

    /** VerbsException (EOPNOTSUPP) for a model that the driver does not bind to. */
    public static void checkDriven(Profile model) {
        if (!DRIVEN.contains(model.vendorPartId())) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "mlx4_vnic on " + model.name() + "; it drives " + Profile.CONNECTX_3.name());
        }
    }

    private static void within(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.invalid(what + " is " + value + "; " + min + " to " + max + " is allowed");
        }
    }
}
