// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedPeer;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;
import org.hcaactors.fabric.recording.Replay;
import org.hcaactors.fabric.recording.Replay.Counts;
import org.hcaactors.fabric.recording.ReplayException;
import org.hcaactors.fabric.uplink.Uplink;
import org.hcaactors.fabric.uplink.UplinkCounters;

/** A recorded cable of one network, and its peer. Any thread. */
public final class PlayedCable implements Uplink, RecordedPeer {
    /** Room for the headers of a packet besides the path MTU, so that the ports' active MTU is the recorded path MTU. */
    private static final int HEADERS = 104;

    /** Calls that wait for the actor, which starts with the network. */
    private static final int MAX_EARLY = 1024;

    private final RecordedCable cable;
    private final Consumer<Throwable> refusals;
    private final UplinkCounters<CableCounter> counters = new UplinkCounters<>(CableCounter.class, CableCounter::text);
    private final CompletableFuture<Replay> end = new CompletableFuture<>();
    private volatile Replay replay = new Replay.Playing(Counts.NONE, Optional.empty());
    /** Commands that came before the actor. */
    private final List<PlaybackActor.Command> early = new ArrayList<>();

    private Optional<ActorRef<PlaybackActor.Command>> actor = Optional.empty();

    private PlayedCable(RecordedCable cable, Consumer<Throwable> refusals) {
        this.cable = cable;
        this.refusals = refusals;
    }

    /**
     * Returns the cable of one network.
     *
     * @param refusals receives what the peer refuses, on the network's threads
     */
    public static PlayedCable of(RecordedCable cable, Consumer<Throwable> refusals) {
        return new PlayedCable(cable, refusals);
    }

    @Override
    public String portName() {
        return Cable.PORT_NAME;
    }

    @Override
    public List<PortAddress> addressesOf(String adapter, int number) {
        List<InetAddress> addresses = cable.addresses();
        if (number > addresses.size()) {
            throw new IllegalArgumentException("adapter " + adapter + " can't be added: this side has "
                    + addresses.size() + (addresses.size() == 1 ? " address" : " addresses") + " in the capture");
        }
        return List.of(Recording.portAddress(addresses.get(number - 1)));
    }

    @Override
    public void plug(String adapter, int number, List<PortAddress> addresses) {
        // The peer knows the recorded addresses only.
    }

    @Override
    public int mtuBytes() {
        return cable.pathMtuBytes() + HEADERS;
    }

    @Override
    public SortedMap<String, Long> counters() {
        return counters.byName();
    }

    RecordedCable cable() {
        return cable;
    }

    UplinkCounters<CableCounter> counting() {
        return counters;
    }

    @Override
    public Behavior<?> behavior(FabricReference fabric, LongSupplier clock, Executor handing) {
        return PlaybackActor.create(this, fabric, clock);
    }

    synchronized void playedBy(ActorRef<PlaybackActor.Command> self) {
        early.forEach(self::tell);
        early.clear();
        actor = Optional.of(self);
    }

    void now(Replay reached) {
        replay = reached;
    }

    void over(Replay ended) {
        replay = ended;
        end.complete(ended);
    }

    void refused(ReplayException difference) {
        refusals.accept(difference);
    }

    @Override
    public InetAddress address() {
        return cable.peer();
    }

    @Override
    public List<RecordedQueuePair> queuePairs() {
        return cable.queuePairs();
    }

    @Override
    public void start() {
        tell(PlaybackActor.Control.START);
    }

    @Override
    public void exchange(RecordedQueuePair ends, int number, int firstPsn) {
        check("queue pair number", number);
        check("first PSN", firstPsn);
        if (!cable.queuePairs().contains(ends)) {
            throw new IllegalArgumentException("the recording has no queue pair " + ends);
        }
        tell(new PlaybackActor.Exchanged(ends, number, firstPsn));
    }

    private static void check(String what, int value) {
        if (value >>> 24 != 0) {
            throw new IllegalArgumentException("the " + what + " is " + value + "; 0 to 0xFFFFFF is allowed");
        }
    }

    @Override
    public void translate(RecordedMemory recorded, int rkey, long address) {
        tell(new PlaybackActor.Translated(recorded, rkey, address));
    }

    private synchronized void tell(PlaybackActor.Command command) {
        if (actor.isPresent()) {
            actor.get().tell(command);
        } else if (early.size() < MAX_EARLY) {
            early.add(command);
        } else {
            throw new IllegalStateException(
                    "the network has not started its cable yet, and " + MAX_EARLY + " calls already wait for it");
        }
    }

    @Override
    public Replay replay() {
        return replay;
    }

    @Override
    public CompletionStage<Replay> end() {
        return end.minimalCompletionStage();
    }

    @Override
    public void close() {
        // Nothing of it is outside of the JVM.
    }
}
