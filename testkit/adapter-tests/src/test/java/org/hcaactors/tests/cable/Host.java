// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/** A network with one adapter, such as one behind a UDP cable on a loopback address, and a process with memory. */
public final class Host implements AutoCloseable {
    static final int MEMORY_BYTES = 1 << 21;

    public final RdmaNetwork network;
    public final Adapter adapter;
    final HostProcess process;
    public final DeviceContext context;
    public final ProtectionDomain domain;
    public final HostMemory memory;
    public final MemoryRegion region;

    public Host(RdmaNetwork network, String name, Profile profile) {
        this.network = network;
        adapter = network.addAdapter(name, profile);
        process = adapter.process("app");
        context = process.open();
        domain = context.allocatePd();
        memory = process.allocate(MEMORY_BYTES);
        region = network.await(domain.register(Registration.of(memory).withAccess(Access.values())));
    }

    public static Host behind(Cable cable) {
        return behind(Environment.production().withCable(cable));
    }

    public static Host behind(Environment environment) {
        return new Host(RdmaNetwork.start(environment), "hca", Profile.CONNECTX_5);
    }

    /** Plugs another adapter into the network. */
    public Host another(String name, Profile profile) {
        return new Host(network, name, profile);
    }

    /** Returns a cable from 127.0.0.{@code own} to 127.0.0.{@code peer}. */
    public static UdpCable cable(int own, int port, int... peers) {
        InetAddress[] all =
                java.util.Arrays.stream(peers).mapToObj(Host::loopback).toArray(InetAddress[]::new);
        return Cable.udp(loopback(own)).withPeers(all).withPort(port);
    }

    /** Returns one end of a cable of frames between both ports of the loopback interface, without adapters and peers. */
    static FramesCable frames(int port, int other) {
        return Cable.frames(new InetSocketAddress(loopback(1), port), new InetSocketAddress(loopback(1), other));
    }

    public static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns a UDP port that no socket of the loopback interface has now. */
    public static int freePort() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (SocketException failed) {
            throw new AssertionError(failed);
        }
    }

    public <T> T await(CompletionStage<T> stage) {
        return network.await(stage);
    }

    /** Returns the value of a counter of the cable. */
    long counted(CableCounter counter) {
        return network.cableCounters().getOrDefault(counter.text(), -1L);
    }

    /** Fills memory with bytes of a seed, and returns them. */
    public byte[] fill(long offset, int bytes, long seed) {
        byte[] random = new byte[bytes];
        new Random(seed).nextBytes(random);
        memory.write(offset, random);
        return random;
    }

    /** Receives of a queue pair, as they complete. */
    public static final class Inbox {
        public final CompletionQueue queue;
        private final BlockingQueue<WorkCompletion> arrived = new LinkedBlockingQueue<>();

        public Inbox(Host host) {
            queue = host.await(host.context.createCq(256));
            queue.completions().subscribe(Subscribers.forEach(arrived::add));
        }

        public WorkCompletion next() {
            try {
                WorkCompletion next = arrived.poll(10, TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("no completion came in 10 s");
                }
                return next;
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
