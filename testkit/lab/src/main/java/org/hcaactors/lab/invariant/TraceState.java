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
 * What the events so far have told: which posting is behind a packet, what each queue pair and each key is. Remembers the
 * newest {@value ByEvent#REMEMBERED} events; of what is older the checkers say nothing.
 */
public final class TraceState {
    public static final int REMEMBERED = 1 << 18;

    /** What tells of keys and of what they show, and of nothing else. */
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
     * Where a packet's event begins.
     *
     * @param posting the event of the posting
     * @param sending the event of the sending, the first one or a later one, of the request or of what is answered
     */
    private record Origin(long posting, long sending) {}

    private final ByEvent<HcaEvent.WorkPosted> postings = new ByEvent<>();
    /** By the packet's event. */
    private final ByEvent<Origin> origins = new ByEvent<>();

    private final ByEvent<Integer> streams = new ByEvent<>();
    private final Set<QpName> streaming = new LinkedHashSet<>();
    private final ByEvent<FabricEvent.Delivered> deliveries = new ByEvent<>();
    private final BelievedForgeries deceptions = new BelievedForgeries();
    private final Fillings fillings = new Fillings();
    private final XrcFacts xrc = new XrcFacts();
    private final TagFacts tags = new TagFacts();
    private final Map<QpName, QpFacts> queuePairs = new LinkedHashMap<>();
    private final Map<KeyName, HcaEvent.Registered> keys = new LinkedHashMap<>();
    private final Map<KeyName, HcaEvent.KeyMapping> sights = new LinkedHashMap<>();
    private final Function<String, Optional<PortAttributes>> ports;

    /** @param ports the attributes of an adapter's port by its name */
    public TraceState(Function<String, Optional<PortAttributes>> ports) {
        this.ports = ports;
    }

    // rule dc-streams
    /** Its streams retry by themselves, and what tells of that names the queue pair alone. */
    public boolean hasStreams(QpName qp) {
        return streaming.contains(qp);
    }

    /** Among which requests that posting stays in order. */
    public SendLine line(QpName qp, long posting) {
        return new SendLine(qp, streams.getOrDefault(posting, 0));
    }

    void note(TraceEvent event) {
        deceptions.note(event, this);
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
            case HcaEvent.Reregistered anew ->
                keys.computeIfPresent(new KeyName(anew.port(), anew.element().number()), (key, was) -> of(anew, was));
            default -> {}
        }
    }

    /** A window that is bound is as a region that begins where it does. */
    private void changed(HcaEvent.KeyChanged changed) {
        KeyName before = new KeyName(changed.port(), changed.before().number());
        HcaEvent.Registered was = keys.get(before);
        if (was == null || was.kind() != HcaEvent.KeyKind.MEMORY_WINDOW) {
            return;
        }
        KeyName after = new KeyName(changed.port(), changed.element().number());
        sights.remove(before);
        changed.shows().ifPresent(sight -> sights.put(after, sight));
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
                        changed.shows().flatMap(HcaEvent.KeyMapping::parent).stream().toList(),
                        parent.map(HcaEvent.Registered::process).orElse(was.process()),
                        was.domain(),
                        changed.shows().map(HcaEvent.KeyMapping::address).orElse(0L),
                        changed.shows().map(HcaEvent.KeyMapping::lengthBytes).orElse(0L),
                        changed.shows().map(HcaEvent.KeyMapping::rights).orElse(AccessFlags.NONE),
                        changed.shows()
                                        .map(sight -> sight.behind() - sight.address())
                                        .orElse(0L)
                                + parent.map(HcaEvent.Registered::shift).orElse(0L)));
    }

    private static HcaEvent.Registered of(HcaEvent.Reregistered anew, HcaEvent.Registered was) {
        return new HcaEvent.Registered(
                anew.stamp(),
                anew.port(),
                anew.element(),
                was.kind(),
                was.parents(),
                was.process(),
                anew.domain(),
                anew.address(),
                anew.lengthBytes(),
                anew.rights(),
                anew.shift());
    }

    private void inherit(TraceEvent event) {
        long cause = event.stamp().cause();
        long id = event.stamp().id();
        Origin origin = postings.has(cause) ? new Origin(cause, id) : origins.get(cause);
        if (origin != null) {
            origins.put(id, origin);
        }
    }

    /** The posting that a packet's event goes back to: of the request itself, or of the request that is answered. */
    public Optional<HcaEvent.WorkPosted> postingBehind(long event) {
        return Optional.ofNullable(origins.get(event)).flatMap(origin -> posting(origin.posting));
    }

    /** The sending that a packet's event goes back to: of the request itself, or of the request that is answered. */
    public Optional<Long> sendingBehind(long event) {
        return Optional.ofNullable(origins.get(event)).map(Origin::sending);
    }

    public Optional<HcaEvent.WorkPosted> posting(long event) {
        return Optional.ofNullable(postings.get(event));
    }

    /** The packet whose arrival has that event id. */
    public Optional<FabricEvent.Delivered> delivery(long event) {
        return Optional.ofNullable(deliveries.get(event));
    }

    /** A packet that nobody sent: forged, or the answer to one that is. */
    public boolean isForged(FabricEvent event) {
        return deceptions.isForged(event);
    }

    /**
     * It may have done what a forged packet told it to, or its peer may: what one of them says of itself need not be what
     * the other one did. So it is from the arrival of a forged packet that it did not ignore.
     */
    public boolean isDeceived(QpName name) {
        return deceptions.isDeceived(name);
    }

    public Optional<QpFacts> queuePair(String port, int number) {
        return queuePair(QpName.of(port, number));
    }

    public Optional<QpFacts> queuePair(QpName name) {
        return Optional.ofNullable(queuePairs.get(name));
    }

    /** What stands or stood behind a key. */
    public Optional<HcaEvent.Registered> key(String port, int key) {
        return Optional.ofNullable(keys.get(new KeyName(port, key)));
    }

    /** What a window under that key shows, if it does. */
    public Optional<HcaEvent.KeyMapping> sight(String port, int key) {
        return Optional.ofNullable(sights.get(new KeyName(port, key)));
    }

    /** What indirect keys show. */
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

    /** A map that forgets its oldest entry beyond {@value #REMEMBERED}. */
    public static <K, V> Map<K, V> recent() {
        return Recent.map(REMEMBERED);
    }
}
