// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.uplink.Uplink;
import org.hcaactors.fabric.uplink.UplinkCounters;

/**
 * The other nodes of a Pekko cluster, each with a network of its own: together they are one fabric. Packets to an address of another
 * node travel to it as RoCEv2 bytes over Artery. What is lost on the way the transports repair, as on a wire.
 *
 * <p>An adapter has the IPv6 address {@code fd68:6361:<64 bits of the node>:<its number>}, which no other node has.
 *
 * <p>Any thread.
 */
public final class ClusterUplink implements Uplink {
    /** Name of the fabric's border in traces, events of the fabric and plans of faults. */
    public static final String PORT_NAME = "cluster";

    /** Bytes of the largest IP packet: path MTU 4096 fits. */
    public static final int MTU_BYTES = 4200;

    /** First 32 bits of all addresses: unique local (RFC 4193). */
    private static final long PREFIX = 0xFD68_6361_0000_0000L;

    /** First 10 bits of link-local addresses (RFC 4291 2.5.6). */
    private static final long LINK_LOCAL = 0x3FA;

    private static final int LINK_LOCAL_SHIFT = Long.SIZE - 10;

    private final long self;
    private final UplinkCounters<ClusterCounter> counters =
            new UplinkCounters<>(ClusterCounter.class, ClusterCounter::text);
    private final CompletableFuture<ActorRef<DirectoryActor.Command>> publisher = new CompletableFuture<>();
    private volatile Directory directory = Directory.EMPTY;

    private ClusterUplink(ActorSystem<?> system) {
        self = Cluster.get(system).selfMember().uniqueAddress().longUid();
    }

    /**
     * Returns the uplink of a network in a clustered actor system ({@code pekko.actor.provider = cluster}).
     *
     * @throws IllegalArgumentException if the actor system is not clustered, or has had an uplink
     */
    public static ClusterUplink of(ActorSystem<?> system) {
        String provider = system.settings().config().getString("pekko.actor.provider");
        if (!provider.equals("cluster") && !provider.endsWith("ClusterActorRefProvider")) {
            throw new IllegalArgumentException("the actor system " + system.name()
                    + " is not clustered: pekko.actor.provider is " + provider + "; it must be cluster");
        }
        if (!SystemUplink.take(system)) {
            throw new IllegalArgumentException("the actor system " + system.name()
                    + " has had an uplink; a node that starts its network again needs a new actor system");
        }
        return new ClusterUplink(system);
    }

    @Override
    public String portName() {
        return PORT_NAME;
    }

    @Override
    public List<PortAddress> addressesOf(String adapter, int number) {
        return List.of(new PortAddress(PREFIX | self >>> Integer.SIZE, self << Integer.SIZE | number));
    }

    @Override
    public int mtuBytes() {
        return MTU_BYTES;
    }

    @Override
    public Behavior<?> behavior(FabricReference fabric, LongSupplier clock, Executor handing) {
        return Behaviors.setup(context -> {
            ActorRef<UplinkActor.Command> uplink =
                    context.spawn(UplinkActor.create(self, fabric, clock, counters), "traffic");
            String reference = ActorRefResolver.get(context.getSystem()).toSerializationFormat(uplink);
            publisher.complete(context.spawn(
                    DirectoryActor.create(self, reference, uplink, found -> directory = found, counters), "directory"));
            return Behaviors.empty();
        });
    }

    @Override
    public void plug(String adapter, int number, List<PortAddress> addresses) {
        // Each network gives link-local addresses from the same numbers.
        List<PortAddress> beyondTheLink = addresses.stream()
                .filter(address -> address.high() >>> LINK_LOCAL_SHIFT != LINK_LOCAL)
                .toList();
        publisher.thenAccept(actor -> actor.tell(new DirectoryActor.Addresses(adapter, beyondTheLink)));
    }

    @Override
    public Optional<PortAddress> resolve(String adapter) {
        return directory.of(adapter);
    }

    /** Returns the adapters of all nodes as this one knows them now: the address that each name resolves to. */
    public SortedMap<String, PortAddress> adapters() {
        return directory.adapters();
    }

    @Override
    public SortedMap<String, Long> counters() {
        return counters.byName();
    }

    /** Has no effect: the actors end with the network, and give their addresses up. */
    @Override
    public void close() {}
}
