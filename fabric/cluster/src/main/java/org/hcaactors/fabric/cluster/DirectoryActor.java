// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.LWWMapKey;
import org.apache.pekko.cluster.ddata.SelfUniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.ddata.typed.javadsl.ReplicatorMessageAdapter;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.uplink.UplinkCounters;

/**
 * Publishes the addresses of this node in the cluster's replicated data, and reads those of the others (rule cluster-directory). A node
 * writes only entries of its own, so that concurrent changes never meet.
 */
final class DirectoryActor extends AbstractBehavior<DirectoryActor.Command> {
    /** Replicated maps: one is sent whole to a node that joins. */
    private static final int BUCKETS = 64;

    /** Addresses of all nodes; those beyond are not published. More would make replication slow (Pekko's advice: 100,000 keys). */
    static final int MAX_ADDRESSES = 100_000;

    private static final String PREFIX = "hca-addresses-";

    /** Commands of the actor. */
    sealed interface Command {}

    /** The addresses that an adapter has from now on. */
    record Addresses(String adapter, List<PortAddress> all) implements Command {}

    private record BucketChanged(int bucket, List<Place> places) implements Command {}

    private record MemberChanged(ClusterEvent.MemberEvent event) implements Command {}

    private enum Note implements Command {
        /** An update of this node was done, or will be done by gossip. */
        UPDATED
    }

    private final long self;
    private final String uplink;
    private final ActorRef<UplinkActor.Command> listener;
    private final Consumer<Directory> snapshot;
    private final UplinkCounters<ClusterCounter> counters;
    private final Cluster cluster;
    private final SelfUniqueAddress selfAddress;
    private final ReplicatorMessageAdapter<Command, LWWMap<String, String>> replicator;
    private final Map<PortAddress, Place> own = new LinkedHashMap<>();
    private final List<List<Place>> buckets = new ArrayList<>();
    /** Uids of the nodes that are in the cluster. */
    private final Set<Long> members = new HashSet<>();

    private final Set<PortAddress> taken = new HashSet<>();

    private DirectoryActor(
            ActorContext<Command> context,
            ReplicatorMessageAdapter<Command, LWWMap<String, String>> replicator,
            long self,
            String uplink,
            ActorRef<UplinkActor.Command> listener,
            Consumer<Directory> snapshot,
            UplinkCounters<ClusterCounter> counters) {
        super(context);
        this.replicator = replicator;
        this.self = self;
        this.uplink = uplink;
        this.listener = listener;
        this.snapshot = snapshot;
        this.counters = counters;
        cluster = Cluster.get(context.getSystem());
        selfAddress = DistributedData.get(context.getSystem()).selfUniqueAddress();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            buckets.add(List.of());
            // An actor has one adapter for all messages of a class, whatever their key.
            replicator.subscribe(key(bucket), DirectoryActor::changed);
        }
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.MemberEvent.class, MemberChanged::new),
                        ClusterEvent.MemberEvent.class));
    }

    /**
     * Creates the behavior.
     *
     * @param self uid of this node
     * @param uplink its uplink, as a reference in text
     * @param listener receives each new directory, and nodes that have left
     * @param snapshot receives each new directory, on the actor's thread
     */
    static Behavior<Command> create(
            long self,
            String uplink,
            ActorRef<UplinkActor.Command> listener,
            Consumer<Directory> snapshot,
            UplinkCounters<ClusterCounter> counters) {
        return Behaviors.setup(context -> DistributedData.withReplicatorMessageAdapter(
                (ReplicatorMessageAdapter<Command, LWWMap<String, String>> replicator) ->
                        new DirectoryActor(context, replicator, self, uplink, listener, snapshot, counters)));
    }

    private static Key<LWWMap<String, String>> key(int bucket) {
        return LWWMapKey.create(PREFIX + bucket);
    }

    private static Command changed(Replicator.SubscribeResponse<LWWMap<String, String>> response) {
        int bucket = Integer.parseInt(response.key().id().substring(PREFIX.length()));
        return response instanceof Replicator.Changed<LWWMap<String, String>> changed
                ? new BucketChanged(bucket, places(changed.dataValue().getEntries()))
                : new BucketChanged(bucket, List.of());
    }

    private static List<Place> places(Map<String, String> entries) {
        return entries.values().stream()
                .map(Place::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Addresses.class, command -> {
                    setAddresses(command.adapter, command.all);
                    return this;
                })
                .onMessage(BucketChanged.class, changed -> {
                    buckets.set(changed.bucket, changed.places);
                    own.values().forEach(this::tellIfTaken);
                    publish();
                    return this;
                })
                .onMessage(MemberChanged.class, changed -> {
                    Member member = changed.event.member();
                    if (changed.event instanceof ClusterEvent.MemberRemoved) {
                        left(member);
                    } else if (members.add(member.uniqueAddress().longUid())) {
                        publish();
                    }
                    return this;
                })
                .onMessage(Note.class, updated -> this)
                .onSignal(PostStop.class, stopped -> {
                    List.copyOf(own.values()).forEach(this::giveUp);
                    return this;
                })
                .build();
    }

    private void setAddresses(String adapter, List<PortAddress> all) {
        List<Place> before = own.values().stream()
                .filter(place -> place.adapter().equals(adapter) && !all.contains(place.address()))
                .toList();
        before.forEach(this::giveUp);
        for (int i = 0; i < all.size(); i++) {
            claim(all.get(i), adapter, i == 0);
        }
    }

    private void claim(PortAddress address, String adapter, boolean first) {
        long claim = Optional.ofNullable(own.get(address))
                .map(Place::claim)
                .orElseGet(
                        () -> 1 + others(address).mapToLong(Place::claim).max().orElse(0));
        Place place = new Place(address, self, claim, adapter, first, uplink);
        own.put(address, place);
        if (published() >= MAX_ADDRESSES) {
            getContext().getLog().error("{} is not published: the cluster has {} addresses", address, MAX_ADDRESSES);
            return;
        }
        tellIfTaken(place);
        update(bucketOf(address), entries -> entries.put(selfAddress, place.key(), place.text()));
    }

    private int published() {
        return buckets.stream().mapToInt(List::size).sum();
    }

    private void giveUp(Place place) {
        own.remove(place.address());
        taken.remove(place.address());
        update(bucketOf(place.address()), entries -> entries.remove(selfAddress, place.key()));
    }

    /** Returns the claims of an address by other nodes. */
    private Stream<Place> others(PortAddress address) {
        return ofMembers(buckets.get(bucketOf(address)))
                .filter(place -> place.node() != self && place.address().equals(address));
    }

    private Stream<Place> ofMembers(List<Place> bucket) {
        return bucket.stream().filter(place -> members.contains(place.node()));
    }

    private void tellIfTaken(Place place) {
        Optional<Place> holder =
                others(place.address()).filter(other -> other.isBefore(place)).findFirst();
        if (holder.isEmpty()) {
            taken.remove(place.address());
        } else if (taken.add(place.address())) {
            counters.count(ClusterCounter.ADDRESS_TAKEN);
            getContext()
                    .getLog()
                    .error(
                            "{} of {} is not reached from other nodes: {} of another node had it first ({})",
                            place.address(),
                            place.adapter(),
                            holder.get().adapter(),
                            holder.get().uplink());
        }
    }

    private static int bucketOf(PortAddress address) {
        return Math.floorMod(Long.hashCode(address.high()) + Long.hashCode(address.low()), BUCKETS);
    }

    private void update(int bucket, UnaryOperator<LWWMap<String, String>> change) {
        replicator.askUpdate(
                answer -> new Replicator.Update<>(
                        key(bucket), LWWMap.create(), Replicator.writeLocal(), answer, change::apply),
                done -> Note.UPDATED);
    }

    private void publish() {
        Directory directory =
                Directory.of(buckets.stream().flatMap(this::ofMembers).toList(), self);
        snapshot.accept(directory);
        listener.tell(new UplinkActor.Changed(directory));
    }

    private void left(Member member) {
        long node = member.uniqueAddress().longUid();
        members.remove(node);
        listener.tell(new UplinkActor.Left(node));
        publish();
        if (cluster.selfMember().address().equals(cluster.state().getLeader())) {
            forget(node);
        }
    }

    /** Removes what a node that has left could not remove itself. */
    private void forget(long node) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            List<String> keys = buckets.get(bucket).stream()
                    .filter(place -> place.node() == node)
                    .map(Place::key)
                    .toList();
            if (!keys.isEmpty()) {
                update(bucket, entries -> without(keys, entries));
            }
        }
    }

    private LWWMap<String, String> without(List<String> keys, LWWMap<String, String> entries) {
        LWWMap<String, String> rest = entries;
        for (String key : keys) {
            rest = rest.remove(selfAddress, key);
        }
        return rest;
    }
}
