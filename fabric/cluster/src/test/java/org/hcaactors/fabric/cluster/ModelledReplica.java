// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The directory of one node: {@link PendingChanges} and {@link Claims} as a node has them, and between nodes a model of Pekko's Replicator
 * with the times and limits of its reference.conf. Only for LWWMaps whose entries have one writer.
 */
final class ModelledReplica {
    private static final int CHANGES_AT_A_TIME = 64;
    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(100);
    private static final Duration BETWEEN_CLEANINGS = Duration.ofSeconds(10);

    /** gossip-interval. */
    private static final Duration GOSSIP = Duration.ofSeconds(2);

    /** A fifth of it (Replicator). */
    private static final Duration DELTAS = Duration.ofMillis(400);

    /** Nodes that get deltas at a time (DeltaPropagationSelector). */
    private static final int NODES_PER_DELTA = 10;

    /** delta-crdt.max-delta-size. */
    private static final int MAX_DELTA = 50;

    /** notify-subscribers-interval. */
    private static final Duration NOTIFY = Duration.ofMillis(500);

    /**
     * Entry of a replicated map.
     *
     * @param since when it was requested
     */
    record Entry(Place place, int version, boolean removed, long since) {}

    private final long uid;
    private final EventLoop loop;
    private final List<ModelledReplica> all;
    /** Receives each entry that this node begins to know, and the time since its request. */
    private final BiConsumer<ModelledReplica, Entry> known;

    private final PendingChanges changes = new PendingChanges();
    private final Map<String, Entry> requested = new HashMap<>();
    private final List<Map<String, Entry>> buckets = new ArrayList<>();
    private final int[] digests = new int[Claims.BUCKETS];
    private final BitSet changed = new BitSet();
    private final List<Entry> fresh = new ArrayList<>();
    private final Claims claims = new Claims();
    private final Set<Long> members = new HashSet<>();
    private final List<Entry> deltas = new ArrayList<>();
    private final Map<ModelledReplica, Integer> sent = new HashMap<>();
    private Set<Long> strangers = Set.of();
    private int turn;
    private boolean writes;
    private boolean dead;

    /**
     * @param all the nodes of the cluster; this one adds itself
     * @param known receives each entry that this node begins to know
     */
    ModelledReplica(long uid, EventLoop loop, List<ModelledReplica> all, BiConsumer<ModelledReplica, Entry> known) {
        this.uid = uid;
        this.loop = loop;
        this.all = all;
        this.known = known;
        for (int i = 0; i < Claims.BUCKETS; i++) {
            buckets.add(new HashMap<>());
        }
        all.forEach(other -> {
            members.add(other.uid);
            other.members.add(uid);
        });
        all.add(this);
        members.add(uid);
        every(DELTAS, this::sendDeltas);
        every(GOSSIP, this::gossip);
        every(NOTIFY, this::look);
        every(BETWEEN_CLEANINGS, this::clean);
    }

    private void every(Duration period, Runnable task) {
        loop.every(period, () -> {
            if (!dead) {
                task.run();
            }
        });
    }

    long uid() {
        return uid;
    }

    /** Publishes an address as DirectoryActor does. */
    void publish(PortAddress address, String adapter, String uplink) {
        long claim = 1 + claims.of(address).mapToLong(Place::claim).max().orElse(0);
        Place place = new Place(address, uid, claim, adapter, true, uplink);
        changes.put(place);
        requested.put(place.key(), new Entry(place, 1, false, loop.now()));
        writeSoon();
    }

    private void writeSoon() {
        if (!writes) {
            writes = true;
            loop.after(0, this::write);
        }
    }

    private void write() {
        writes = !dead && !changes.isEmpty();
        if (!writes) {
            return;
        }
        boolean adds = claims.size() < DirectoryActor.MAX_ADDRESSES;
        changes.poll(CHANGES_AT_A_TIME, adds)
                .forEach((bucket, some) -> some.forEach(change -> {
                    Entry entry = change.value().isPresent()
                            ? Objects.requireNonNull(requested.get(change.key()))
                            : removed(Objects.requireNonNull(buckets.get(bucket).get(change.key())));
                    merge(List.of(entry));
                    deltas.add(entry);
                }));
        loop.after(BETWEEN_CHANGES.toNanos(), this::write);
    }

    private Entry removed(Entry entry) {
        return new Entry(entry.place, entry.version + 1, true, loop.now());
    }

    private void merge(Collection<Entry> entries) {
        for (Entry entry : entries) {
            int bucket = Claims.bucketOf(entry.place.address());
            Entry before = buckets.get(bucket).get(entry.place.key());
            if (!dead && (before == null || before.version < entry.version)) {
                buckets.get(bucket).put(entry.place.key(), entry);
                digests[bucket] += entry.place.key().hashCode() * entry.version;
                changed.set(bucket);
                fresh.add(entry);
            }
        }
    }

    private void sendDeltas() {
        for (int i = 0; i < Math.min(NODES_PER_DELTA, all.size()); i++) {
            ModelledReplica other = all.get(turn++ % all.size());
            List<Entry> since = deltas.subList(sent.getOrDefault(other, 0), deltas.size());
            sent.put(other, deltas.size());
            if (other != this) {
                Map<Integer, List<Entry>> groups =
                        since.stream().collect(Collectors.groupingBy(entry -> Claims.bucketOf(entry.place.address())));
                groups.values().stream()
                        .filter(group -> group.size() < MAX_DELTA)
                        .forEach(group -> loop.send(() -> other.merge(group)));
            }
        }
    }

    /** Exchanges buckets that differ with a drawn node: a status, the buckets of that node, and those of this one. */
    private void gossip() {
        ModelledReplica other = all.get(loop.draw(all.size()));
        if (other != this) {
            int[] status = digests.clone();
            loop.send(() -> other.answer(this, status));
        }
    }

    private void answer(ModelledReplica other, int[] status) {
        for (int bucket = 0; bucket < Claims.BUCKETS && !dead; bucket++) {
            if (status[bucket] != digests[bucket]) {
                int each = bucket;
                List<Entry> ours = List.copyOf(buckets.get(bucket).values());
                loop.send(() -> {
                    other.merge(ours);
                    List<Entry> back = List.copyOf(other.buckets.get(each).values());
                    loop.send(() -> merge(back));
                });
            }
        }
    }

    private void look() {
        changed.stream()
                .forEach(bucket -> claims.set(
                        bucket,
                        buckets.get(bucket).values().stream()
                                .filter(entry -> !entry.removed)
                                .map(Entry::place)
                                .toList()));
        changed.clear();
        fresh.forEach(entry -> known.accept(this, entry));
        fresh.clear();
    }

    /** Removes, as the leader, entries of nodes that were no members at two looks. */
    private void clean() {
        List<Place> foreign =
                claims.all().filter(place -> !members.contains(place.node())).toList();
        if (this == all.getFirst()) {
            foreign.stream().filter(place -> strangers.contains(place.node())).forEach(changes::remove);
            writeSoon();
        }
        strangers = foreign.stream().map(Place::node).collect(Collectors.toSet());
    }

    /** Ends the node, whose removal from the cluster all others learn. */
    void die() {
        dead = true;
        all.remove(this);
        all.forEach(other -> {
            other.members.remove(uid);
            other.sent.remove(this);
        });
    }

    Directory directory() {
        return Directory.of(
                claims.all().filter(place -> members.contains(place.node())).toList(), uid);
    }

    int entries() {
        return claims.size();
    }

    /** Characters of all entries, with their keys. */
    long characters() {
        return claims.all()
                .mapToLong(place -> place.key().length() + place.text().length())
                .sum();
    }
}
