// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.playback.Effect;
import org.hcaactors.fabric.playback.Playback;
import org.hcaactors.fabric.playback.Terms;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;
import org.hcaactors.fabric.recording.Replay;
import org.hcaactors.fabric.recording.ReplayException;
import org.hcaactors.fabric.time.ActorTimer;
import org.hcaactors.fabric.wire.FrameEncoder;

/** The peer of a recorded cable at the border of the fabric, in the time of its network. */
final class PlaybackActor extends AbstractBehavior<PlaybackActor.Command> {
    /** Commands of the peer. */
    sealed interface Command {}

    /** Commands without contents. */
    enum Control implements Command {
        START,
        DUE
    }

    record Exchanged(RecordedQueuePair ends, int number, int firstPsn) implements Command {}

    record Translated(RecordedMemory recorded, int rkey, long address) implements Command {}

    private record Arrived(Packet[] batch, long[] traceIds) implements Command {}

    private record Credit(int packets) implements Command {}

    /** Hands everything to the actor, as a receiver must. */
    private record Border(ActorRef<Command> actor) implements Receiver {
        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            actor.tell(new Arrived(batch, traceIds));
        }

        @Override
        public void corrupted() {
            // A peer drops it and does nothing.
        }

        @Override
        public void credit(int packets) {
            actor.tell(new Credit(packets));
        }
    }

    private final PlayedCable cable;
    private final FabricReference fabric;
    private final LongSupplier clock;
    private final Playback playback;
    private final PortAddress peer;
    private final Endpoint border;
    private final ActorTimer<Command> timer;
    /** Packets that wait for credits; at most those of the recording and those that are repeated. */
    private final Deque<Effect.Enter> waiting = new ArrayDeque<>();

    private int credits = Endpoint.INITIAL_CREDITS;

    private PlaybackActor(
            ActorContext<Command> context, PlayedCable cable, FabricReference fabric, LongSupplier clock) {
        super(context);
        this.cable = cable;
        this.fabric = fabric;
        this.clock = clock;
        RecordedCable recorded = cable.cable();
        playback = new Playback(
                recorded.recording(),
                new Terms(recorded.longestGap().toNanos(), recorded.patience().toNanos(), recorded.comparesPayloads()));
        peer = Recording.portAddress(recorded.peer());
        border = Endpoint.border(new Border(context.getSelf()));
        timer = new ActorTimer<>(context, Control.DUE);
    }

    static Behavior<Command> create(PlayedCable cable, FabricReference fabric, LongSupplier clock) {
        return Behaviors.setup(context -> {
            PlaybackActor made = new PlaybackActor(context, cable, fabric, clock);
            cable.playedBy(context.getSelf());
            fabric.tell(new FabricActor.PlugBorder(
                    Cable.PORT_NAME, made.border, new LinkProperties(0, 0, cable.mtuBytes(), Long.MAX_VALUE)));
            return made;
        });
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder().onAnyMessage(this::handled).build();
    }

    private Behavior<Command> handled(Command command) {
        long now = clock.getAsLong();
        switch (command) {
            case Control control -> {
                if (control == Control.START) {
                    playback.start(now);
                } else {
                    timer.fired();
                }
                playback.advance(now);
            }
            case Exchanged e -> playback.exchanged(e.ends, e.number, e.firstPsn);
            case Translated t -> playback.translated(t.recorded, t.rkey, t.address);
            case Arrived a -> arrived(a, now);
            case Credit c -> credits += c.packets;
        }
        playback.effects().forEach(this::cause);
        enter();
        cable.now(playback.replay());
        timer.arm(now, playback.nextDeadline());
        return this;
    }

    private void arrived(Arrived arrived, long now) {
        for (int i = 0; i < arrived.batch.length; i++) {
            Packet packet = arrived.batch[i];
            long cause = i < arrived.traceIds.length ? arrived.traceIds[i] : 0;
            if (packet.route().destination().equals(peer)) {
                cable.counting().count(CableCounter.SENT);
                playback.arrived(packet, cause, now);
            } else {
                cable.counting().count(CableCounter.NO_PEER);
                unanswered(packet, "no peer of the cable has that address", cause);
            }
        }
    }

    private void cause(Effect effect) {
        switch (effect) {
            case Effect.Enter enter -> waiting.add(enter);
            case Effect.Unanswered u -> unanswered(u.packet(), u.reason(), u.cause());
            case Effect.Over(var replay) -> over(replay);
        }
    }

    private void unanswered(Packet packet, String reason, long cause) {
        fabric.tell(new FabricActor.NotSent(packet, reason, cause));
    }

    private void over(Replay replay) {
        cable.over(replay);
        if (replay instanceof Replay.Stopped stopped) {
            cable.refused(new ReplayException(cable.cable().toString(), stopped.difference()));
        }
    }

    private void enter() {
        while (credits > 0 && !waiting.isEmpty()) {
            if (waiting.element().damage() == 0) {
                enterWhole();
            } else {
                enterDamaged(waiting.remove());
            }
        }
    }

    private void enterWhole() {
        List<Effect.Enter> batch = new ArrayList<>();
        int most = Math.min(credits, Switchboard.MAX_BATCH);
        while (batch.size() < most && !waiting.isEmpty() && waiting.element().damage() == 0) {
            batch.add(waiting.remove());
        }
        credits -= batch.size();
        cable.counting().add(CableCounter.RECEIVED, batch.size());
        fabric.send(
                border,
                batch.stream().map(Effect.Enter::packet).toArray(Packet[]::new),
                batch.stream().mapToLong(Effect.Enter::cause).toArray(),
                Switchboard.UNTRACED);
    }

    private void enterDamaged(Effect.Enter damaged) {
        credits--;
        cable.counting().count(CableCounter.ICRC_BAD);
        ByteBuffer frame = ByteBuffer.wrap(FrameEncoder.encode(damaged.packet()));
        int icrcAt = frame.capacity() - Integer.BYTES;
        frame.putInt(icrcAt, frame.getInt(icrcAt) ^ damaged.damage());
        fabric.tell(new FabricActor.EnterDamaged(
                border, damaged.packet(), Octets.wrap(frame.array(), 0, frame.capacity())));
    }
}
