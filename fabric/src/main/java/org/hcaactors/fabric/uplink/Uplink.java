// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.uplink;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The way out of a network's JVM: it gives the adapters their addresses, and has the default route of the fabric. One network uses
 * it. Any thread.
 */
public interface Uplink extends AutoCloseable {
    /** Returns the name of the fabric's border in traces, events of the fabric and plans of faults. */
    String portName();

    /**
     * Returns the addresses of an adapter that is being plugged in, at least one.
     *
     * @param number from 1
     * @throws IllegalArgumentException if there is none for it
     */
    List<PortAddress> addressesOf(String adapter, int number);

    /** Returns the bytes of the largest IP packet. */
    int mtuBytes();

    /**
     * Returns the behavior of the actor that plugs the border into the fabric and owns what carries its packets.
     *
     * @param clock nanoseconds, never going back
     * @param handing runs an action that hands a few packets to the fabric, and may run on the same thread what it makes ready
     */
    @SuppressWarnings("exports") // Only jars of this project implement it.
    Behavior<?> behavior(FabricReference fabric, LongSupplier clock, Executor handing);

    /**
     * Tells the addresses that an adapter has from now on. The first one is that of its name.
     *
     * @param number from 1
     */
    void plug(String adapter, int number, List<PortAddress> addresses);

    /** Returns the address of an adapter of another network that this uplink reaches. */
    default Optional<PortAddress> resolve(String adapter) {
        return Optional.empty();
    }

    /**
     * Reads on the calling thread what has come for the fabric, if no other thread reads. Waits for nothing.
     *
     * @param by consulted from then on: while a thread polls, the uplink's own threads leave reading to it
     * @return number of datagrams
     */
    default int poll(Polling by) {
        return 0;
    }

    /** Wakes the uplink's own threads, which left reading to a thread that polls no more. */
    default void pollsNoMore() {}

    /** Returns the counters by name. */
    SortedMap<String, Long> counters();

    /** Ends what carries packets; when it returns, the addresses are free. Further calls have no effect. */
    @Override
    void close();
}
