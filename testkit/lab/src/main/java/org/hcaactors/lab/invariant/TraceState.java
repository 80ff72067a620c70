// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.recent.Recent;
import org.jspecify.annotations.Nullable;

/**
 * Facts from the events so far: the posting behind each packet, each queue pair and each key. Remembers the newest
 * {@value ByEvent#REMEMBERED} events; invariants do not judge older ones.
 */
public final class TraceState {
    public static final int REMEMBERED = 1 << 18;

    /** Event classes about keys and the memory they show. */
    static final Set<Class<? extends TraceEvent>> OF_KEYS = Set.of(
            HcaEvent.Registered.class,
            HcaEvent.Reregistered.class,
            HcaEvent.KeyChanged.class,
            HcaEvent.KeyFilled.class);

    private record KeyName(String port, int key) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof KeyName that && key == that.key && port.equals(that.port);
        }

        @Override
        public int hashCode() {
            return 31 * port.hashCode() + key;
        }
    }

    /**
     * Origin of a packet's event.
     *
     * @param posting the event of the posting
     * @param sending the event of the sending, first or retransmitted, of the request or of the request that is answered
     */
    private record Origin(long posting, long sending) {}

    private final ByEvent<HcaEvent.WorkPosted> postings = new ByEvent<>();
    /** By the packet's event. */
    private final ByEvent<Origin> origins = new ByEvent<>();

    private final ByEvent<Integer> streams = new ByEvent<>();
    private final Set<QpName> streaming = new LinkedHashSet<>();
    private final ByEvent<FabricEvent.Delivered> deliveries = new ByEvent<>();
    private final AcceptedForgeries acceptedForgeries = new AcceptedForgeries();
    private final Fillings fillings = new Fillings();
    private final XrcFacts xrc = new XrcFacts();
    private final TagFacts tags = new TagFacts();
    private final Map<QpName, QpFacts> queuePairs = new LinkedHashMap<>();
    private final Map<KeyName, HcaEvent.Registered> keys = new LinkedHashMap<>();
    private final Map<KeyName, HcaEvent.KeyMapping> windowMappings = new LinkedHashMap<>();
    private final Function<String, Optional<PortAttributes>> ports;

    /** @param ports the attributes of an adapter's port by its name */
    public TraceState(Function<String, Optional<PortAttributes>> ports) {
        this.ports = ports;
    }

    // rule dc-streams
    /** True if the queue pair has streams. Each retries by itself, and the events of a retry name only the queue pair. */
    public boolean hasStreams(QpName qp) {
        return streaming.contains(qp);
    }

    /** Returns the requests among which that posting stays in order. */
    public SendLine line(QpName qp, long posting) {
        return new SendLine(qp, streams.getOrDefault(posting, 0));
    }

    void note(TraceEvent event) {
        acceptedForgeries.note(event, this);
        fillings.note(event);
        xrc.note(event);
        tags.note(event, this);
        switch (event) {
            case HcaEvent.DcDestination to
            when to.stream() != 0 -> {
                streams.put(to.stamp().cause(), to.stream());
                streaming.add(QpName.of(to));
            }
            case HcaEvent.WorkPosted posted -> postings.put(posted.stamp().id(), posted);
            case FabricEvent.Delivered delivered -> {
                deliveries.put(delivered.stamp().id(), delivered);
                inherit(delivered);
            }
            case FabricEvent fabric -> inherit(fabric);
            case HcaEvent.FetchFailed left -> inherit(left);
            case HcaEvent.QueuePairCreated created -> queuePairs.put(QpName.of(created), new QpFacts(created));
            case HcaEvent.Modified modified -> queuePair(QpName.of(modified)).ifPresent(qp -> qp.modified(modified));
            case HcaEvent.StateChanged changed ->
                queuePair(QpName.of(changed)).ifPresent(qp -> qp.entered(changed.to()));
            case HcaEvent.Registered registered ->
                keys.put(new KeyName(registered.port(), registered.element().number()), registered);
            case HcaEvent.KeyChanged changed -> changed(changed);
            case HcaEvent.Reregistered reregistered ->
                keys.computeIfPresent(
                        new KeyName(reregistered.port(), reregistered.element().number()),
                        (key, was) -> of(reregistered, was));
            default -> {}
        }
    }

    /** A bound window is treated as a region that starts at the same address. */
    private void changed(HcaEvent.KeyChanged changed) {
        KeyName before = new KeyName(changed.port(), changed.before().number());
        HcaEvent.Registered was = keys.get(before);
        if (was == null || was.kind() != HcaEvent.KeyKind.MEMORY_WINDOW) {
            return;
        }
        KeyName after = new KeyName(changed.port(), changed.element().number());
        windowMappings.remove(before);
        changed.shows().ifPresent(mapping -> windowMappings.put(after, mapping));
        Optional<HcaEvent.Registered> parent = changed.shows()
                .flatMap(HcaEvent.KeyMapping::parent)
                .flatMap(element -> key(changed.port(), element.number()));
        keys.put(
                after,
                new HcaEvent.Registered(
                        changed.stamp(),
                        changed.port(),
                        changed.element(),
                        was.kind(),
                        changed.shows().flatMap(HcaEvent.KeyMapping::parent).stream()
                                .toList(),
                        parent.map(HcaEvent.Registered::process).orElse(was.process()),
                        was.domain(),
                        changed.shows().map(HcaEvent.KeyMapping::address).orElse(0L),
                        changed.shows().map(HcaEvent.KeyMapping::lengthBytes).orElse(0L),
                        changed.shows().map(HcaEvent.KeyMapping::rights).orElse(AccessFlags.NONE),
                        changed.shows()
                                        .map(mapping -> mapping.behind() - mapping.address())
                                        .orElse(0L)
                                + parent.map(HcaEvent.Registered::shift).orElse(0L)));
    }

    private static HcaEvent.Registered of(HcaEvent.Reregistered reregistered, HcaEvent.Registered was) {
        return new HcaEvent.Registered(
                reregistered.stamp(),
                reregistered.port(),
                reregistered.element(),
                was.kind(),
                was.parents(),
                was.process(),
                reregistered.domain(),
                reregistered.address(),
                reregistered.lengthBytes(),
                reregistered.rights(),
                reregistered.shift());
    }

    private void inherit(TraceEvent event) {
        long cause = event.stamp().cause();
        long id = event.stamp().id();
        Origin origin = postings.has(cause) ? new Origin(cause, id) : origins.get(cause);
        if (origin != null) {
            origins.put(id, origin);
        }
    }

    /** Returns the posting of the request that the packet belongs to or answers. */
    public Optional<HcaEvent.WorkPosted> postingBehind(long event) {
        return Optional.ofNullable(origins.get(event)).flatMap(origin -> posting(origin.posting));
    }

    /** Returns the sending of the request that the packet belongs to or answers. */
    public Optional<Long> sendingBehind(long event) {
        return Optional.ofNullable(origins.get(event)).map(Origin::sending);
    }

    public Optional<HcaEvent.WorkPosted> posting(long event) {
        return Optional.ofNullable(postings.get(event));
    }

    /** Returns the packet whose arrival has that event id. */
    public Optional<FabricEvent.Delivered> delivery(long event) {
        return Optional.ofNullable(deliveries.get(event));
    }

    /** True if no queue pair sent the packet: it is forged, or answers a forged one. */
    public boolean isForged(FabricEvent event) {
        return acceptedForgeries.isForged(event);
    }

    /**
     * True from the arrival of a forged packet that the queue pair did not ignore. It or its peer may have executed a forged
     * request, so the events of one need not match those of the other.
     */
    public boolean isDeceived(QpName name) {
        return acceptedForgeries.isDeceived(name);
    }

    public Optional<QpFacts> queuePair(String port, int number) {
        return queuePair(QpName.of(port, number));
    }

    public Optional<QpFacts> queuePair(QpName name) {
        return Optional.ofNullable(queuePairs.get(name));
    }

    /** Returns the registration of a key, present or past. */
    public Optional<HcaEvent.Registered> key(String port, int key) {
        return Optional.ofNullable(keys.get(new KeyName(port, key)));
    }

    /** Returns the memory that a bound window under that key shows. */
    public Optional<HcaEvent.KeyMapping> windowMapping(String port, int key) {
        return Optional.ofNullable(windowMappings.get(new KeyName(port, key)));
    }

    /** Returns the memory that indirect keys show. */
    public Fillings fillings() {
        return fillings;
    }

    public XrcFacts xrc() {
        return xrc;
    }

    public TagFacts tags() {
        return tags;
    }

    public Optional<PortAttributes> port(String name) {
        return ports.apply(name);
    }

    /** Returns a map that forgets its oldest entry beyond {@value #REMEMBERED}. */
    public static <K, V> Map<K, V> recent() {
        return Recent.map(REMEMBERED);
    }
}
