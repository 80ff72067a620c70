// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;

/** Place of the tour: the adapters of both sides, the time, and the faults that the tour needs. */
interface TourGround {
    /** Returns the world, for the steps that need its clock or reach adapters of one network only; empty if there is none. */
    Optional<World> world();

    /** Plugs in an adapter of alice's side. */
    Adapter near(String name, Profile profile);

    /** Plugs in an adapter of the other side. */
    Adapter far(String name, Profile profile);

    /** Returns the network of alice's side; it waits for the other one, too. */
    RdmaNetwork network();

    default <T> T await(CompletionStage<T> stage) {
        return network().await(stage);
    }

    /** Returns attributes whose retries last as long as answers may be delayed here. */
    RcConnection terms(RcConnection wanted);

    /** Lets what is under way take effect before the next step begins. */
    void settle();

    /** Lets time pass, where it is virtual. */
    void runFor(Duration time);

    /**
     * Waits for the condition.
     *
     * @param within virtual time in which it comes true
     */
    void until(BooleanSupplier condition, Duration within);

    /**
     * Returns the entries of a queue once there are so many.
     *
     * @param within virtual time in which they come
     */
    List<WorkCompletion> poll(CompletionQueue queue, int count, Duration within);

    /** Returns the events of both sides so far. */
    List<TraceEvent> events();

    default int now() {
        settle();
        return events().size();
    }

    /** Loses the next packet with that opcode. */
    void loseNext(Opcode opcode);

    /** Evicts all pages of the memory. */
    void evict(DeviceContext user, HostMemory memory);

    /** Fragments the memory of an adapter of the far side, into blocks of so many bytes. */
    void fragment(Adapter far, int blockBytes);
}
