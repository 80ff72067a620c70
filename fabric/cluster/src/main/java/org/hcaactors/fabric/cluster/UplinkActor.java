// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.uplink.UplinkCounters;

/** Carries packets between the fabric's border and the other nodes. */
final class UplinkActor extends AbstractBehavior<UplinkActor.Command> {
    /** Time between two looks at what waits for an answer. */
    private static final Duration TICK = Duration.ofMillis(100);

    /** Commands of the actor. */
    sealed interface Command permits Leaving, Credit, Changed, Left, Tick, NodeMessage {}

    /** Packets from the fabric. */
    record Leaving(List<Outgoing> packets) implements Command {}

    /** Credits of packets that entered the fabric. */
    record Credit(int packets) implements Command {}

    record Changed(Directory directory) implements Command {}

    /** A node is no member any more. */
    record Left(long node) implements Command {}

    private enum Tick implements Command {
        NOW
    }

    /** A peer: what is kept of it, and its uplink. */
    private record Peer(NodeLink link, ActorRef<Command> uplink) {}

    private final long self;
    private final ActorRefResolver references;
    private final FabricReference fabric;
    private final Endpoint border;
    private final UplinkCounters<ClusterCounter> counters;
    private final LongSupplier clock;
    private final Map<Long, Peer> peers = new LinkedHashMap<>();
    private Directory directory = Directory.EMPTY;
    private int credits = Endpoint.INITIAL_CREDITS;

    private UplinkActor(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            long self,
            FabricReference fabric,
            LongSupplier clock,
            UplinkCounters<ClusterCounter> counters) {
        super(context);
        this.clock = clock;
        this.self = self;
        this.fabric = fabric;
        this.counters = counters;
        references = ActorRefResolver.get(context.getSystem());
        border = Endpoint.border(new BorderReceiver(context.getSelf()));
        fabric.tell(new FabricActor.PlugBorder(
                ClusterUplink.PORT_NAME, border, new LinkProperties(0, 0, ClusterUplink.MTU_BYTES, Long.MAX_VALUE)));
        timers.startTimerWithFixedDelay(Tick.NOW, TICK);
    }

    /**
     * Creates the behavior, which plugs the border into the fabric.
     *
     * @param self uid of this node
     * @param clock nanoseconds, never going back
     */
    static Behavior<Command> create(
            long self, FabricReference fabric, LongSupplier clock, UplinkCounters<ClusterCounter> counters) {
        return Behaviors.setup(context ->
                Behaviors.withTimers(timers -> new UplinkActor(context, timers, self, fabric, clock, counters)));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Leaving.class, leaving -> {
                    leave(leaving.packets, clock.getAsLong());
                    return this;
                })
                .onMessage(Credit.class, credit -> {
                    credits += credit.packets;
                    feed();
                    return this;
                })
                .onMessage(NodeMessage.class, message -> {
                    handle(message);
                    return this;
                })
                .onMessage(Changed.class, changed -> {
                    directory = changed.directory;
                    // A transport's first packet should not wait for a connection of Artery.
                    directory.uplinks().forEach(this::peer);
                    return this;
                })
                .onMessage(Left.class, left -> {
                    leftBy(left.node);
                    return this;
                })
                .onMessage(Tick.class, tick -> {
                    new LinkedHashMap<>(peers).forEach(this::remind);
                    return this;
                })
                .build();
    }

    private void leave(List<Outgoing> packets, long now) {
        Set<Peer> receivers = new LinkedHashSet<>();
        for (Outgoing packet : packets) {
            Optional<Peer> receiver = directory
                    .at(packet.carried().packet().route().destination())
                    .map(place -> peer(place.node(), place.uplink()));
            receiver.ifPresentOrElse(
                    peer -> leave(packet, peer.link, now),
                    () -> lost(packet, ClusterCounter.NO_NODE, "no node has that address"));
            receiver.ifPresent(receivers::add);
        }
        receivers.forEach(this::flush);
    }

    private void leave(Outgoing packet, NodeLink link, long now) {
        if (link.refusal().isPresent()) {
            lost(packet, ClusterCounter.REFUSED_VERSION, link.refusal().get());
        } else if (!link.add(packet, now)) {
            lost(packet, ClusterCounter.QUEUE_FULL, "too many packets wait for the node");
        }
    }

    private Peer peer(long node, String uplink) {
        return peers.computeIfAbsent(
                node, absent -> greeted(new Peer(new NodeLink(), references.resolveActorRef(uplink))));
    }

    private Peer greeted(Peer peer) {
        greet(peer);
        return peer;
    }

    // rule cluster-hello
    private void greet(Peer peer) {
        peer.uplink.tell(new NodeMessage.Hello(
                self, WireVersion.OLDEST, WireVersion.NEWEST, getContext().getSelf()));
    }

    private void remind(long node, Peer peer) {
        peer.link
                .removeLate(clock.getAsLong())
                .forEach(packet -> lost(packet, ClusterCounter.TOO_LATE, "it has waited too long for the node"));
        if (peer.link.isOpen()) {
            peer.link.probe(self).ifPresent(peer.uplink::tell);
        } else if (peer.link.refusal().isEmpty()
                && (peer.link.mayGreet() || directory.uplinks().containsKey(node))) {
            greet(peer);
        } else if (peer.link.refusal().isEmpty()) {
            leftBy(node);
        }
    }

    private void flush(Peer peer) {
        for (var next = peer.link.nextTrain(self); next.isPresent(); next = peer.link.nextTrain(self)) {
            counters.count(ClusterCounter.TRAINS_SENT);
            counters.add(ClusterCounter.SENT, next.get().packets().size());
            peer.uplink.tell(next.get());
        }
    }

    private void lost(Outgoing packet, ClusterCounter counter, String reason) {
        counters.count(counter);
        packet.ends();
        packet.event()
                .ifPresent(event ->
                        fabric.tell(new FabricActor.NotSent(packet.carried().packet(), reason, event)));
    }

    private void handle(NodeMessage message) {
        switch (message) {
            case NodeMessage.Hello hello -> answer(hello);
            case NodeMessage.Welcome welcome ->
                with(message, peer -> {
                    peer.link.welcome(welcome.window());
                    flush(peer);
                });
            case NodeMessage.Refusal refusal -> with(message, peer -> refused(peer, refusal.reason()));
            case NodeMessage.Train train -> with(message, peer -> arrived(peer, train));
            case NodeMessage.Grant grant ->
                with(message, peer -> {
                    peer.link.granted(grant.consumed());
                    flush(peer);
                });
            case NodeMessage.Probe probe ->
                with(message, peer -> {
                    counters.add(ClusterCounter.GAPS, peer.link.announced(probe.next()));
                    peer.uplink.tell(peer.link.grantNow(self));
                });
        }
    }

    /** Messages of a node that has not said hello come from before its end. */
    private void with(NodeMessage message, Consumer<Peer> action) {
        Optional.ofNullable(peers.get(message.from())).ifPresent(action);
    }

    private void answer(NodeMessage.Hello hello) {
        Optional<String> whyNot = WireVersion.whyNot(hello.oldest(), hello.newest());
        if (whyNot.isPresent()) {
            counters.count(ClusterCounter.REFUSED_VERSION);
            hello.replyTo().tell(new NodeMessage.Refusal(self, whyNot.get()));
        } else {
            peers.computeIfAbsent(hello.from(), node -> greeted(new Peer(new NodeLink(), hello.replyTo())));
            hello.replyTo().tell(new NodeMessage.Welcome(self, NodeLink.WINDOW));
        }
    }

    private void refused(Peer peer, String reason) {
        if (peer.link.refusal().isPresent()) {
            // An answer to a repeated hello.
            return;
        }
        getContext()
                .getLog()
                .error(
                        "{} refuses the packets of this node: {}",
                        peer.uplink.path().address(),
                        reason);
        String refused = "the node of that address refuses them: " + reason;
        peer.link.refuse(refused);
        peer.link.removeWaiting().forEach(packet -> lost(packet, ClusterCounter.REFUSED_VERSION, refused));
    }

    private void arrived(Peer peer, NodeMessage.Train train) {
        long gap = peer.link.arrived(train);
        if (gap >= 0) {
            counters.add(ClusterCounter.GAPS, gap);
            counters.add(
                    ClusterCounter.MALFORMED, train.count() - train.packets().size());
            feed();
        }
    }

    /** Hands packets that arrived to the fabric, as far as it has credits; peers take turns. */
    private void feed() {
        boolean more = true;
        while (more && credits > 0) {
            more = false;
            for (Peer peer : peers.values()) {
                if (credits > 0 && peer.link.hasArrived()) {
                    enter(peer.link.pollArrived(credits));
                    peer.link.grant(self).ifPresent(peer.uplink::tell);
                    more |= peer.link.hasArrived();
                }
            }
        }
    }

    private void enter(List<Carried> run) {
        counters.add(ClusterCounter.RECEIVED, run.size());
        credits -= run.size();
        Carried first = run.getFirst();
        if (first.damagedFrame().isPresent()) {
            fabric.tell(new FabricActor.EnterDamaged(
                    border, first.packet(), first.damagedFrame().get()));
        } else {
            Packet[] batch = run.stream().map(Carried::packet).toArray(Packet[]::new);
            credits += batch.length - fabric.send(border, batch);
        }
    }

    private void leftBy(long node) {
        Peer gone = peers.remove(node);
        if (gone != null) {
            gone.link
                    .removeWaiting()
                    .forEach(packet -> lost(packet, ClusterCounter.NODE_LEFT, "the node of that address has left"));
        }
    }
}
