// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.recording.Difference;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedPacket;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;
import org.hcaactors.fabric.recording.Replay;
import org.hcaactors.fabric.recording.Replay.Counts;

/**
 * Plays the peer of a recording: a packet of the peer enters when this side has sent what it sent before it in the recording, and
 * the recorded time has passed since (rules wire-recorded-order, wire-recorded-repeats). Callers pass the current time. Not
 * thread-safe.
 */
public final class Playback {
    /** Time before the peer repeats what this side does not answer; it doubles each time, until the patience ends. */
    static final long FIRST_REPEAT_NANOS = 100_000_000;

    /**
     * Time for which the peer waits for a repetition, or for a NAK, that depends on losses and times: longer than any RNR timer.
     * Then it continues without.
     */
    static final long REPETITION_NANOS = 700_000_000;

    /** Time before the peer repeats what this side has lost, so that time passes while it loses everything. */
    static final long REPEAT_DELAY_NANOS = 100_000;

    /** Packets of the peer that wait to be repeated; beyond, they are not. */
    static final int MAX_REPEATED = 1 << 14;

    private record Way(PortAddress port, TransportClass transport, int qp) {}

    private record Later(long at, long serial, Packet packet, long cause) {}

    private final Recording recording;
    private final Terms terms;
    private final Numbers numbers = new Numbers();
    private final ToldKeys keys = new ToldKeys(numbers);
    private final Comparison comparison;
    private final List<Item> items = new ArrayList<>();
    /** By the position of the item. */
    private final List<Optional<Conversation>> conversations = new ArrayList<>();

    private final Map<Way, Conversation> toPeer = new LinkedHashMap<>();
    private final Map<Way, Conversation> toThisSide = new LinkedHashMap<>();
    private final Map<PortAddress, Conversation> management = new LinkedHashMap<>();
    private final PriorityQueue<Later> repeated =
            new PriorityQueue<>(Comparator.comparingLong(Later::at).thenComparingLong(Later::serial));
    private final List<Effect> effects = new ArrayList<>();

    private boolean isStarted;
    private Optional<Replay> over = Optional.empty();
    /** Packets of the peer before this one have entered. */
    private int position;
    /** Packets of this side before that one that did not come yet. */
    private final List<Item> missing = new ArrayList<>();

    /** When this side, or the peer, sent the last packet that was recorded. */
    private long progress;

    private int repeats;
    private long lastCause;
    private long serial;
    private long deadline = Long.MAX_VALUE;
    private Counts counts = Counts.NONE;

    public Playback(Recording recording, Terms terms) {
        this.recording = recording;
        this.terms = terms;
        comparison = new Comparison(keys, terms.comparesPayloads());
        for (RecordedQueuePair ends : recording.queuePairs()) {
            connect(ends);
        }
        for (RecordedPacket recorded : recording.packets()) {
            // The peer dropped a damaged packet of this side, and nothing else follows from it.
            if (recorded.ofPeer()
                    || !recorded.isDamaged() && recorded.packet().opcode().transport() != TransportClass.CNP) {
                add(new Item(recorded, items.size()));
            }
        }
        items.stream().filter(item -> !item.recorded.ofPeer()).forEach(keys::search);
    }

    private void connect(RecordedQueuePair ends) {
        if (ends.transport() != TransportClass.UD) {
            PortAddress port = portOf(ends);
            Conversation made = new PlayedConnection(ends, port, recording.pathMtuBytes(), numbers, comparison, keys);
            toPeer.put(new Way(port, ends.transport(), ends.peerNumber()), made);
            toThisSide.put(new Way(port, ends.transport(), ends.number()), made);
        }
    }

    private static PortAddress portOf(RecordedQueuePair ends) {
        return Recording.portAddress(ends.address());
    }

    private void add(Item item) {
        Packet packet = item.packet();
        Optional<Conversation> its = item.recorded.ofPeer() ? ofPeer(packet) : Optional.of(ofThisSide(packet));
        items.add(item);
        conversations.add(its);
        if (item.recorded.ofPeer()) {
            its.ifPresent(conversation -> conversation.addOfPeer(item));
        } else {
            its.ifPresent(conversation -> conversation.addOwn(item));
        }
    }

    /** Returns the conversation of a recorded packet of the peer; a notification of congestion belongs to none. */
    private Optional<Conversation> ofPeer(Packet packet) {
        PortAddress port = packet.route().destination();
        if (isManagement(packet)) {
            return Optional.of(management(port));
        }
        TransportClass transport = packet.opcode().transport();
        return transport == TransportClass.UD
                ? Optional.of(datagrams(port, packet.deth().sourceQp()))
                : Optional.ofNullable(
                        toThisSide.get(new Way(port, transport, packet.bth().destQp())));
    }

    private Conversation ofThisSide(Packet packet) {
        PortAddress port = packet.route().source();
        if (isManagement(packet)) {
            return management(port);
        }
        Conversation known = toPeer.get(
                new Way(port, packet.opcode().transport(), packet.bth().destQp()));
        return known == null ? datagrams(port, packet.bth().destQp()) : known;
    }

    private static boolean isManagement(Packet packet) {
        return packet.bth().destQp() == CmDatagram.QP_NUMBER
                && CmCodec.decode(packet).isPresent();
    }

    private Conversation management(PortAddress port) {
        return management.computeIfAbsent(port, any -> new PlayedMessages(port, numbers, keys));
    }

    /** Returns the datagrams between a port of this side and a queue pair of the peer. */
    private Conversation datagrams(PortAddress port, int peerNumber) {
        return toPeer.computeIfAbsent(
                new Way(port, TransportClass.UD, peerNumber),
                any -> new PlayedDatagrams(port, numbers, comparison, keys));
    }

    /** Lets the peer begin. */
    public void start(long now) {
        if (!isStarted) {
            isStarted = true;
            progress = now;
        }
    }

    /** Takes the numbers of this side for those of a recorded queue pair. */
    public void exchanged(RecordedQueuePair ends, int number, int firstPsn) {
        PortAddress port = portOf(ends);
        int shift = Psn.compare(firstPsn, ends.firstPsn());
        numbers.queuePair(port, ends.number(), number);
        numbers.shift(port, ends.number(), before -> new Numbers.Shift(shift, before.received()));
    }

    /** Takes memory of this side for recorded memory. */
    public void translated(RecordedMemory recorded, int rkey, long address) {
        numbers.told(recorded.rkey(), rkey, recorded.address(), address);
    }

    /**
     * Takes a packet of this side.
     *
     * @param cause event of its arrival; 0 if it is not traced
     */
    public void arrived(Packet packet, long cause, long now) {
        if (over.filter(Replay.Stopped.class::isInstance).isPresent()) {
            afterEnd(packet, "the recorded peer has stopped", cause);
            return;
        }
        start(now);
        if (packet.opcode().transport() == TransportClass.CNP) {
            return;
        }
        switch (judged(packet)) {
            case Outcome.Taken(var again) -> {
                counts = new Counts(counts.entered(), counts.repeated(), counts.taken() + 1, counts.beyond());
                lastCause = cause;
                again.forEach(each -> repeat(each, now + REPEAT_DELAY_NANOS, cause));
            }
            case Outcome.Refused(var difference) -> {
                if (over.isPresent()) {
                    afterEnd(packet, "the recording is over", cause);
                } else {
                    stop(packet, difference, cause);
                }
            }
        }
        advance(now);
    }

    private Outcome judged(Packet packet) {
        Conversation conversation = isManagement(packet)
                ? management(packet.route().source())
                : toPeer.get(new Way(
                        packet.route().source(),
                        packet.opcode().transport(),
                        packet.bth().destQp()));
        return conversation == null
                ? new Outcome.Refused(Comparison.unexpected(packet, "the peer has no such queue pair"))
                : conversation.arrived(packet);
    }

    private void afterEnd(Packet packet, String reason, long cause) {
        counts = new Counts(counts.entered(), counts.repeated(), counts.taken(), counts.beyond() + 1);
        effects.add(new Effect.Unanswered(packet, reason, cause));
    }

    private void stop(Packet packet, Difference difference, long cause) {
        effects.add(new Effect.Unanswered(packet, difference.text(), cause));
        end(new Replay.Stopped(counts, difference));
    }

    private void end(Replay replay) {
        over = Optional.of(replay);
        effects.add(new Effect.Over(replay));
        deadline = Long.MAX_VALUE;
    }

    private void repeat(Packet packet, long at, long cause) {
        if (repeated.size() < MAX_REPEATED) {
            repeated.add(new Later(at, serial++, packet, cause));
        }
    }

    /** Lets everything enter that is due. */
    public void advance(long now) {
        if (!isStarted) {
            return;
        }
        enterRepeated(now);
        deadline = Long.MAX_VALUE;
        boolean goesOn = over.isEmpty();
        while (goesOn) {
            goesOn = step(now);
        }
    }

    // rule wire-recorded-order
    /** Lets the next packet of the peer enter; false if it has to wait. */
    private boolean step(long now) {
        while (position < items.size() && !items.get(position).recorded.ofPeer()) {
            missing.add(items.get(position));
            position++;
        }
        missing.removeIf(item -> passes(item, now));
        if (position == items.size()) {
            if (missing.isEmpty()) {
                end(new Replay.Complete(counts));
            } else {
                await(missing.getFirst(), now);
            }
            return false;
        }
        Item next = items.get(position);
        Optional<Item> needed = missing.stream().filter(own -> needs(next, own)).findFirst();
        if (needed.isPresent()) {
            await(needed.get(), now);
            return false;
        }
        if (enters(next, now)) {
            position++;
            return true;
        }
        return false;
    }

    /** Another connection may depend on anything; on the same one, a response depends on what it answers. */
    private boolean needs(Item ofPeer, Item own) {
        Optional<Conversation> its = conversations.get(ofPeer.index);
        return !its.equals(conversations.get(own.index))
                || its.map(conversation -> conversation.needs(ofPeer, own)).orElse(true);
    }

    private void enterRepeated(long now) {
        while (!repeated.isEmpty() && repeated.element().at <= now) {
            Later next = repeated.remove();
            counts = new Counts(counts.entered(), counts.repeated() + 1, counts.taken(), counts.beyond());
            effects.add(new Effect.Enter(next.packet, 0, next.cause));
        }
    }

    /** True if a packet of this side was sent, or is none that it must send. */
    private boolean passes(Item own, long now) {
        Optional<Conversation> its = conversations.get(own.index);
        boolean sent = its.filter(conversation -> conversation.isSatisfied(own)).isPresent();
        boolean isAvoided = now >= progress + REPETITION_NANOS
                && its.filter(conversation -> conversation.isAvoidable(own)).isPresent();
        if (sent) {
            progressed(now);
        }
        return sent || own.optional || isAvoided;
    }

    private void progressed(long now) {
        progress = now;
        repeats = 0;
    }

    private boolean enters(Item item, long now) {
        boolean ready =
                conversations.get(item.index).map(its -> its.isReady(item)).orElse(true);
        long since = ready ? progress + gapBefore(item) : progress + REPETITION_NANOS;
        if (now < since) {
            deadline = since;
            return false;
        }
        Optional<Conversation> its = conversations.get(item.index);
        if (!item.recorded.isDamaged()) {
            its.ifPresent(conversation -> conversation.entered(item));
        }
        item.passed = true;
        Packet packet =
                its.map(conversation -> conversation.translated(item.packet())).orElse(item.packet());
        effects.add(new Effect.Enter(packet, item.recorded.damage(), lastCause));
        counts = new Counts(counts.entered() + 1, counts.repeated(), counts.taken(), counts.beyond());
        progressed(now);
        return true;
    }

    private long gapBefore(Item item) {
        long gap = item.index == 0
                ? 0
                : item.recorded.nanos() - items.get(item.index - 1).recorded.nanos();
        return Math.clamp(gap, 0, terms.longestGapNanos());
    }

    /** Waits for a packet of this side, and meanwhile repeats what it answers. */
    private void await(Item item, long now) {
        long end = progress + terms.patienceNanos();
        if (now >= end) {
            end(new Replay.Stopped(counts, Comparison.missing(item.recorded, terms.patienceNanos() / 1e9 + " s")));
            return;
        }
        if (now >= nextRepeat()) {
            repeats++;
            conversations
                    .get(item.index)
                    .ifPresent(its -> its.unanswered(item).forEach(packet -> repeat(packet, now, lastCause)));
            enterRepeated(now);
        }
        deadline = Math.min(end, nextRepeat());
    }

    private long nextRepeat() {
        return progress + (FIRST_REPEAT_NANOS << Math.min(repeats, 20));
    }

    /** Returns when {@link #advance} has to be called next; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        return repeated.isEmpty() ? deadline : Math.min(deadline, repeated.element().at);
    }

    /** Returns what happened since the last call, in order. */
    public List<Effect> effects() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    /** Returns how far the peer has come. */
    public Replay replay() {
        return over.map(this::counted).orElseGet(() -> new Replay.Playing(counts, awaited()));
    }

    private Replay counted(Replay ended) {
        return switch (ended) {
            case Replay.Complete complete -> new Replay.Complete(counts);
            case Replay.Stopped(var before, var difference) -> new Replay.Stopped(counts, difference);
            case Replay.Playing playing -> playing;
        };
    }

    private Optional<RecordedPacket> awaited() {
        return missing.stream()
                .filter(own -> position == items.size() || needs(items.get(position), own))
                .map(own -> own.recorded)
                .findFirst();
    }
}
