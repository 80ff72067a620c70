// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteOrder;
import java.util.List;
import java.util.SortedMap;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.firmware.Firmware;
import org.hcaactors.api.memory.ProgramMemory;

/**
 * A modelled adapter with one port on the fabric.
 *
 * <p>Threads: any; no method blocks. Limits: one port.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Adapter {
    String name();

    /** Current profile: the adapter model with its firmware settings applied. It changes only when the adapter restarts. */
    Profile profile();

    /** Processor family of the host, which the features in {@link Profile#platform()} need. */
    Platform platform();

    /** Byte order of the host, as set by {@link HostMachine#withByteOrder}. */
    ByteOrder byteOrder();

    /** Number of shards of its network: threads, each of which runs queue pairs of all adapters. */
    int shards();

    /** Firmware settings and restart. */
    Firmware firmware();

    /** Node GUID, 64 bits, unique to the adapter. */
    long nodeGuid();

    /** GUID of the system that the adapter is a part of ({@code sys_image_guid}): its node GUID, as it has one function. */
    default long systemImageGuid() {
        return nodeGuid();
    }

    /** Entry 0 of port 1's GID table. */
    default Gid gid() {
        return port(1).gidTable().getFirst();
    }

    /**
     * Queries the port, including its tables ({@code ibv_query_port}); EINVAL unless {@code number} is 1: the adapter has one
     * port.
     */
    PortAttributes port(int number);

    /**
     * Returns the process with this name on the adapter's host; creates it if no such process is alive. A new process has
     * {@link Credentials#DEFAULT}.
     */
    HostProcess process(String name);

    /**
     * Returns the process with this name; a new process has these credentials. EINVAL if the process exists with other
     * credentials.
     */
    HostProcess process(String name, Credentials identity);

    // rule memory-program
    /**
     * Returns the process with this name, whose address space is that of a program outside of the JVM: it maps ranges of the
     * program's memory with {@link HostProcess#mapAt}, and allocates none. A new process has {@link Credentials#DEFAULT}.
     * EINVAL if the process exists with other memory, compared by {@code equals}, and if the host's byte order is not that of
     * the JVM.
     */
    HostProcess process(String name, ProgramMemory memory);

    /** Free memory of the host, by NUMA node. */
    List<FreeMemory> freeMemory();

    /** Hardware counters of the port under their mlx5 names, sorted by name. */
    SortedMap<String, Long> counters();

    /**
     * Descriptions of all {@link #counters}, in their order; each counter is a total. For paging see {@link
     * PagingCounters#meanings}.
     */
    List<CounterDescription> counterDescriptions();

    /** On-demand paging counters. */
    PagingCounters pagingCounters();

    /** Histogram of page fault latencies since the last {@link #clearFaultLatencies}. */
    FaultLatencies faultLatencies();

    /** Resets the histogram, as writing {@code clear} to {@code odp_hist} does. Other counters are unaffected. */
    void clearFaultLatencies();
}
