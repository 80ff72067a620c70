// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.ProgramMemory;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketFaults;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/**
 * The adapter of the program, with its process. Any thread.
 *
 * @param faults that disturb its packets
 * @param slower factor by which its clock is slower than the system's
 */
record ServedAdapter(
        RdmaNetwork network, Adapter adapter, HostProcess process, Optional<PacketFaults> faults, int slower) {
    /** Maximum time of a verb, on the system's clock; then it fails with EIO. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    /** One thread runs the whole adapter, as the program's own threads need processors, too. */
    private static final int SHARDS = 1;

    /**
     * Opens it at the address of the settings, or at the first one that is free.
     *
     * @throws IllegalArgumentException if the plan of faults is none, or cannot be read
     * @throws CableException if an address cannot be used
     */
    static ServedAdapter open(Settings settings, ProgramMemory memory, TraceSink trace) {
        Optional<PacketFaults> faults = faults(settings);
        RdmaNetwork network = network(settings, environment(settings, trace));
        faults.ifPresent(all -> network.intercept(
                new OwnPackets(settings.name(), settings.network().peers(), all)));
        Adapter adapter = network.addAdapter(settings.name(), served(settings.profile()));
        HostProcess process = adapter.process("pid" + ProcessHandle.current().pid(), memory);
        return new ServedAdapter(network, adapter, process, faults, settings.slower());
    }

    // rule completion-arm-forward
    /** Programs rely on what mlx5 does: UCX polls before it arms, not after, and would sleep for ever. */
    private static Profile served(Profile profile) {
        return DeviceWords.isMlx5(profile) ? profile.with(Quirk.ARM_FIRES_FOR_UNPOLLED) : profile;
    }

    private static Environment environment(Settings settings, TraceSink trace) {
        Environment environment = Environment.production()
                .withShards(SHARDS)
                .withClock(clock(settings.slower()))
                .withTrace(trace)
                // Verbs' stages complete on the adapter's thread: a waiting program's thread is woken, and events are
                // stored.
                .withCallers(name -> Runnable::run);
        return settings.seed().isEmpty()
                ? environment
                : environment.withNumbers(
                        name -> RandomStreams.numbers(settings.seed().getAsLong(), name));
    }

    /** Returns the clock of an adapter. */
    static LongSupplier clock(int slower) {
        return slower == 1 ? System::nanoTime : () -> System.nanoTime() / slower;
    }

    private static Optional<PacketFaults> faults(Settings settings) {
        if (settings.disturbances().faults().isEmpty()) {
            return Optional.empty();
        }
        Path file = settings.disturbances().faults().get();
        try {
            FaultPlan plan = FaultPlan.parse(Files.readString(file));
            return Optional.of(new PacketFaults(plan, seedOfFaults(settings)));
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(file + ": " + refused.getMessage(), refused);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("the plan of faults cannot be read: " + unreadable, unreadable);
        }
    }

    /** The processes of a run have one seed, and each draws packets of its own. */
    private static long seedOfFaults(Settings settings) {
        return RandomStreams.of(settings.seed().orElse(0), "faults of " + settings.name())
                .nextLong();
    }

    private static RdmaNetwork network(Settings settings, Environment environment) {
        Settings.Network wanted = settings.network();
        if (!wanted.connected()) {
            return RdmaNetwork.start(environment);
        }
        if (wanted.address().isPresent()) {
            return connected(wanted, wanted.address().get(), environment);
        }
        for (int host = Settings.FIRST_HOST; host < Settings.LAST_HOST; host++) {
            Optional<RdmaNetwork> free = ifFree(wanted, Settings.loopback(host), environment);
            if (free.isPresent()) {
                return free.get();
            }
        }
        return connected(wanted, Settings.loopback(Settings.LAST_HOST), environment);
    }

    private static Optional<RdmaNetwork> ifFree(Settings.Network wanted, InetAddress address, Environment environment) {
        try {
            return Optional.of(connected(wanted, address, environment));
        } catch (CableException taken) {
            if (taken.getCause() instanceof BindException) {
                return Optional.empty();
            }
            throw taken;
        }
    }

    private static RdmaNetwork connected(Settings.Network wanted, InetAddress address, Environment environment) {
        InetAddress[] peers = wanted.peers().keySet().stream()
                .filter(peer -> !peer.equals(address))
                .toArray(InetAddress[]::new);
        UdpCable cable = Cable.udp(address).withPeers(peers);
        return RdmaNetwork.start(environment.withCable(wanted.beyondLoopback() ? cable.beyondLoopback() : cable));
    }

    /** Waits, on a thread of the program, for a verb. */
    <T> T await(CompletionStage<T> verb) {
        return network.await(verb, MAX_WAIT);
    }
}
