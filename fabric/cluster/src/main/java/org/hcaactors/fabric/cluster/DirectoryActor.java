// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
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
    /** Addresses of all nodes; those beyond are not published. More would make replication slow (Pekko's advice: 100,000 keys). */
    static final int MAX_ADDRESSES = 100_000;

    /** Changes that are written together: their replication must fit into a message of Artery. */
    private static final int CHANGES_AT_A_TIME = 64;

    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(100);

    /** Time between two looks for entries of nodes that are gone. */
    private static final Duration BETWEEN_CLEANINGS = Duration.ofSeconds(10);

    private static final String PREFIX = "hca-addresses-";

    /** Commands of the actor. */
    sealed interface Command {}

    /** The addresses that an adapter has from now on. */
    record Addresses(String adapter, List<PortAddress> all) implements Command {}

    private record BucketChanged(int bucket, List<Place> places) implements Command {}

    private record MemberChanged(ClusterEvent.MemberEvent event) implements Command {}

    private enum Note implements Command {
        /** The changes that came before are to be published. */
        PUBLISH,
        /** More entries of this node may be written. */
        WRITE,
        /** Entries of nodes that are gone are to be removed. */
        CLEAN
    }

    private final long self;
    private final String uplink;
    private final ActorRef<UplinkActor.Command> listener;
    private final Consumer<Directory> snapshot;
    private final UplinkCounters<ClusterCounter> counters;
    private final Cluster cluster;
    private final SelfUniqueAddress selfAddress;
    private final ActorRef<Replicator.Command> replicator;
    private final Map<PortAddress, Place> own = new LinkedHashMap<>();
    private final Map<String, List<PortAddress>> ownOf = new LinkedHashMap<>();
    private final Claims claims = new Claims();
    /** Uids of the nodes that are in the cluster. */
    private final Set<Long> members = new LinkedHashSet<>();

    private final Set<PortAddress> taken = new LinkedHashSet<>();
    private final PendingChanges changes = new PendingChanges();
    private final TimerScheduler<Command> timers;
    /** Nodes with entries that were no members at the last look: gone, or not known yet. */
    private Set<Long> strangers = Set.of();

    private boolean willPublish;
    private boolean isFull;

    private DirectoryActor(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            ReplicatorMessageAdapter<Command, LWWMap<String, String>> adapter,
            long self,
            String uplink,
            ActorRef<UplinkActor.Command> listener,
            Consumer<Directory> snapshot,
            UplinkCounters<ClusterCounter> counters) {
        super(context);
        this.timers = timers;
        replicator = DistributedData.get(context.getSystem()).replicator();
        this.self = self;
        this.uplink = uplink;
        this.listener = listener;
        this.snapshot = snapshot;
        this.counters = counters;
        cluster = Cluster.get(context.getSystem());
        selfAddress = DistributedData.get(context.getSystem()).selfUniqueAddress();
        for (int bucket = 0; bucket < Claims.BUCKETS; bucket++) {
            // An actor has one adapter for all messages of a class, whatever their key.
            adapter.subscribe(key(bucket), DirectoryActor::changed);
        }
        timers.startTimerWithFixedDelay(Note.CLEAN, BETWEEN_CLEANINGS);
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
                (ReplicatorMessageAdapter<Command, LWWMap<String, String>> adapter) -> Behaviors.withTimers(timers ->
                        new DirectoryActor(context, timers, adapter, self, uplink, listener, snapshot, counters))));
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
                    claims.set(changed.bucket, changed.places);
                    changed.places.stream()
                            .map(place -> own.get(place.address()))
                            .filter(Objects::nonNull)
                            .forEach(this::tellIfTaken);
                    publishSoon();
                    return this;
                })
                .onMessage(MemberChanged.class, changed -> {
                    Member member = changed.event.member();
                    if (changed.event instanceof ClusterEvent.MemberRemoved) {
                        left(member);
                    } else if (members.add(member.uniqueAddress().longUid())) {
                        own.values().forEach(this::tellIfTaken);
                        publishSoon();
                    }
                    return this;
                })
                .onMessageEquals(Note.WRITE, () -> {
                    write();
                    return this;
                })
                .onMessageEquals(Note.CLEAN, () -> {
                    clean();
                    return this;
                })
                .onMessageEquals(Note.PUBLISH, () -> {
                    publish();
                    return this;
                })
                .onSignal(PostStop.class, stopped -> {
                    own.values().forEach(changes::remove);
                    write(Integer.MAX_VALUE, false);
                    return this;
                })
                .build();
    }

    private void setAddresses(String adapter, List<PortAddress> all) {
        List<PortAddress> before = Optional.ofNullable(ownOf.put(adapter, all)).orElse(List.of());
        before.stream()
                .filter(address -> !all.contains(address))
                .map(own::get)
                .filter(Objects::nonNull)
                .forEach(this::giveUp);
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
        if (place.equals(own.put(address, place))) {
            return;
        }
        tellIfTaken(place);
        changes.put(place);
        writeSoon();
    }

    private void giveUp(Place place) {
        own.remove(place.address());
        taken.remove(place.address());
        changes.remove(place);
        writeSoon();
    }

    private void writeSoon() {
        if (!timers.isTimerActive(Note.WRITE)) {
            timers.startSingleTimer(Note.WRITE, Note.WRITE, Duration.ZERO);
        }
    }

    private void write() {
        boolean hasRoom = claims.size() < MAX_ADDRESSES;
        if (!hasRoom && !isFull) {
            getContext().getLog().error("further addresses are not published: the cluster has {}", MAX_ADDRESSES);
        }
        isFull = !hasRoom;
        write(CHANGES_AT_A_TIME, hasRoom);
        if (!changes.isEmpty()) {
            timers.startSingleTimer(Note.WRITE, Note.WRITE, BETWEEN_CHANGES);
        }
    }

    private void write(int most, boolean adds) {
        changes.poll(most, adds).forEach((bucket, all) -> update(bucket, entries -> changed(entries, all)));
    }

    private LWWMap<String, String> changed(LWWMap<String, String> entries, List<PendingChanges.Change> all) {
        LWWMap<String, String> result = entries;
        for (PendingChanges.Change change : all) {
            result = change.value().isPresent()
                    ? result.put(selfAddress, change.key(), change.value().get())
                    : result.remove(selfAddress, change.key());
        }
        return result;
    }

    /** Returns the claims of an address by other nodes. */
    private Stream<Place> others(PortAddress address) {
        return claims.of(address).filter(place -> place.node() != self && isOfMember(place));
    }

    private boolean isOfMember(Place place) {
        return members.contains(place.node());
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

    private void update(int bucket, UnaryOperator<LWWMap<String, String>> change) {
        // A local write has nothing to answer; and an answer that a busy machine delays would end an actor that asks.
        replicator.tell(new Replicator.Update<>(
                key(bucket),
                LWWMap.create(),
                Replicator.writeLocal(),
                getContext().getSystem().ignoreRef(),
                change::apply));
    }

    /** Many buckets change together, and a directory is made of all of them: once, after the changes that wait. */
    private void publishSoon() {
        if (!willPublish) {
            willPublish = true;
            getContext().getSelf().tell(Note.PUBLISH);
        }
    }

    private void publish() {
        willPublish = false;
        Directory directory = Directory.of(claims.all().filter(this::isOfMember).toList(), self);
        snapshot.accept(directory);
        listener.tell(new UplinkActor.Changed(directory));
    }

    private void left(Member member) {
        long node = member.uniqueAddress().longUid();
        members.remove(node);
        own.values().forEach(this::tellIfTaken);
        // First the directory without it, so that no packet finds it again.
        publish();
        listener.tell(new UplinkActor.Left(node));
    }

    /** Removes, as the leader, what nodes that have left could not remove. One that is no member at two looks has left. */
    private void clean() {
        List<Place> foreign = claims.all().filter(place -> !isOfMember(place)).toList();
        if (cluster.selfMember().address().equals(cluster.state().getLeader())) {
            foreign.stream().filter(place -> strangers.contains(place.node())).forEach(changes::remove);
            writeSoon();
        }
        strangers = foreign.stream().map(Place::node).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
