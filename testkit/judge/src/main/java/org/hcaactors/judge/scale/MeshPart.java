// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.network.RdmaNetwork;

/**
 * The part of a mesh that is in this JVM: nodes of a cluster whose others are in other JVMs. Its queue pairs are created, then connected with
 * those of the others, then its heap is measured. Any thread may {@link #add} and {@link #remove} nodes; the rest is for one thread, when all
 * nodes have been added.
 */
public final class MeshPart {
    private final RdmaNetwork network;
    private final Scheme scheme;
    private final Cluster cluster;
    private final LongSupplier clock;
    private final Map<Integer, Member> members = new TreeMap<>();
    private List<Planned> planned = List.of();
    private List<MeshEnd.Created> created = List.of();
    private List<Object> held = List.of();
    private long before;
    private long nanos;

    private record Member(Gid gid, List<BareCluster.Process> processes) {}

    private record Planned(Gid gid, MeshEnd end) {}

    /** Address of a queue pair, for the other end of its connection. */
    public record EndAddress(Gid gid, int number) {}

    /**
     * Cost of the part.
     *
     * @param nodes of the mesh that are here
     * @param heapBytes heap of the queue pairs, as in {@link Measurement}
     * @param nanos to create and connect them, without the time for which this part waited for the others
     */
    public record Cost(int nodes, long queuePairs, long heapBytes, long nanos) {}

    /** @param clock time in nanoseconds, from any origin */
    public MeshPart(RdmaNetwork network, Scheme scheme, Cluster cluster, LongSupplier clock) {
        this.clock = clock;
        this.network = network;
        this.scheme = scheme;
        this.cluster = cluster;
    }

    /**
     * Adds a node, and begins its processes.
     *
     * @param node from 0
     */
    public void add(int node, Adapter adapter) {
        Member member = new Member(adapter.gid(), BareCluster.processes(network, cluster, adapter));
        synchronized (members) {
            members.put(node, member);
        }
    }

    /** Ends the processes of a node, and with them its queue pairs. */
    public CompletionStage<Void> remove(int node) {
        Optional<Member> gone;
        synchronized (members) {
            gone = Optional.ofNullable(members.remove(node));
        }
        return CompletableFuture.allOf(gone.stream()
                .flatMap(member -> member.processes().stream())
                .map(process -> process.domain().context().process().exit().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Creates the queue pairs. Returns where the others find those that are to be connected, by the names of their ends. Throws
     * VerbsException if an adapter refuses.
     */
    public Map<String, EndAddress> create() {
        List<Planned> all = new ArrayList<>();
        synchronized (members) {
            members.forEach((node, member) -> scheme.ends(network, cluster, node, member.processes())
                    .forEach(end -> all.add(new Planned(member.gid(), end))));
        }
        planned = all;
        created = List.of();
        before = SettledHeap.bytes();
        long begun = clock.getAsLong();
        created = inTurns(all, each -> each.end().creation().get());
        nanos = clock.getAsLong() - begun;
        Map<String, EndAddress> addresses = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).end().peer().isPresent()) {
                addresses.put(
                        all.get(i).end().name(),
                        new EndAddress(all.get(i).gid(), created.get(i).number()));
            }
        }
        return addresses;
    }

    /** Returns the names of the ends to which those of {@link #create} connect. */
    public List<String> peers() {
        return planned.stream().flatMap(each -> each.end().peer().stream()).toList();
    }

    /**
     * Connects the queue pairs.
     *
     * @param addresses of all {@link #peers}
     */
    public void connect(Map<String, EndAddress> addresses) {
        List<Integer> toConnect = new ArrayList<>();
        for (int i = 0; i < planned.size(); i++) {
            if (planned.get(i).end().peer().isPresent()) {
                toConnect.add(i);
            }
        }
        long begun = clock.getAsLong();
        inTurns(toConnect, i -> connect(planned.get(i).end(), created.get(i), addresses));
        nanos += clock.getAsLong() - begun;
        held = created.stream().<Object>map(MeshEnd.Created::held).toList();
        created = List.of();
    }

    /** Measures what has been created since the beginning of {@link #create}: the queue pairs, with the handles that a program would hold. */
    public Cost measure() {
        long queuePairs =
                planned.stream().mapToLong(each -> each.end().queuePairs()).sum();
        long bytes = SettledHeap.bytes() - before;
        Reference.reachabilityFence(held);
        Cost cost;
        synchronized (members) {
            cost = new Cost(members.size(), queuePairs, Math.max(queuePairs, bytes), nanos);
        }
        held = List.of();
        planned = List.of();
        return cost;
    }

    private static CompletionStage<?> connect(MeshEnd end, MeshEnd.Created made, Map<String, EndAddress> addresses) {
        String peer = end.peer().orElseThrow();
        EndAddress address = Optional.ofNullable(addresses.get(peer))
                .orElseThrow(() -> new IllegalArgumentException("nothing is known of " + peer));
        return made.connecting().to(address.gid(), address.number());
    }

    private <A, B> List<B> inTurns(List<A> all, Function<A, ? extends CompletionStage<? extends B>> verb) {
        List<B> results = new ArrayList<>(all.size());
        for (int first = 0; first < all.size(); first += BuiltMesh.AT_ONCE) {
            all.subList(first, Math.min(all.size(), first + BuiltMesh.AT_ONCE)).stream()
                    .map(verb)
                    .toList()
                    .forEach(stage -> results.add(network.await(stage)));
        }
        return results;
    }
}
