// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteOrder;
import java.util.List;
import java.util.SortedMap;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.firmware.Firmware;

/**
 * A modelled adapter with one port on the fabric.
 *
 * <p>Threads: any; nothing here waits. Limits: one port.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Adapter {
    String name();

    /** What it can do now: the model that it is, as its firmware is set. It changes when the adapter restarts, and never else. */
    Profile profile();

    /** The kind of processors of the host that it sits in, with which it does what {@link Profile#platform()} says. */
    Platform platform();

    /** That of numbers in the memory of its host, as {@link HostMachine#withByteOrder} set it. */
    ByteOrder byteOrder();

    /** How many shards its network has: threads that each have queue pairs of their own, of all its adapters. */
    int shards();

    /** What it is set to, and how it starts anew. */
    Firmware firmware();

    /** 64 bits, unique to the adapter. */
    long nodeGuid();

    /** Entry 0 of port 1's GID table. */
    default Gid gid() {
        return port(1).gidTable().getFirst();
    }

    /** What {@code ibv_query_port} tells, tables included; EINVAL unless {@code number} is 1: the adapter has one port. */
    PortAttributes port(int number);

    /**
     * A process of the host that this adapter sits in; the same name gives the same process until that one exits. It is {@link
     * Credentials#DEFAULT}'s unless it was made as another's.
     */
    HostProcess process(String name);

    /** The same for a process of that user; EINVAL if the process is there, and another's. */
    HostProcess process(String name, Credentials identity);

    /** What the host has left, NUMA node by node. */
    List<FreeMemory> freeMemory();

    /** The port's hardware counters under their mlx5 names, in name order. */
    SortedMap<String, Long> counters();

    /** What each of {@link #counters} counts, in their order; each is a total. Of pages: {@link PagingCounters#meanings}. */
    List<CounterDescription> counterDescriptions();

    /** What it has counted of pages of regions on demand. */
    PagingCounters pagingCounters();

    /** How long page faults took, since the last {@link #clearFaultLatencies}. */
    FaultLatencies faultLatencies();

    /** They begin anew, as when {@code clear} is written to {@code odp_hist}; no other counter does. */
    void clearFaultLatencies();
}
