// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.link.Switchboard;

/**
 * Link of a node to another one: packets that wait to leave, those that wait to enter the fabric, and how many may be under way
 * (rules cluster-hello, cluster-window). Not thread-safe.
 */
final class NodeLink {
    /** Packets that may be under way to this node. */
    static final int WINDOW = 2048;

    /** Packets that wait to leave; further ones are lost. */
    static final int MAX_WAITING = 8192;

    /** Bytes of one train: half of Artery's frame, so that its envelope fits, too. */
    static final int MAX_TRAIN_BYTES = 128 << 10;

    /** Time that a packet waits to leave; then it is lost, as on a wire: its transport has sent another one. */
    static final long MAX_WAIT_NANOS = 1_000_000_000;

    /** Packets consumed before a grant is sent. */
    private static final int GRANT_STEP = WINDOW / 8;

    /** Hellos without an answer, one in 100 ms, after which a node that has no addresses is forgotten. */
    private static final int MAX_HELLOS = 600;

    private record Waiting(Outgoing packet, long since) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ArrayDeque<Carried> arrived = new ArrayDeque<>();
    private final ReceiveCount received = new ReceiveCount();
    private Optional<SendWindow> window = Optional.empty();
    private Optional<String> refusal = Optional.empty();
    private int hellos;
    /** Number up to which packets had been sent when a time ago it was last looked. */
    private long sentBefore = -1;

    /** Counts a hello; false once there were too many without an answer. */
    boolean mayGreet() {
        hellos++;
        return hellos <= MAX_HELLOS;
    }

    /** True once the node has welcomed this one. */
    boolean isOpen() {
        return window.isPresent();
    }

    /** Returns why the node has refused this one, if it has. */
    Optional<String> refusal() {
        return refusal;
    }

    /** Takes a refusal: it is final, as the versions of a node that runs do not change. */
    void refuse(String reason) {
        refusal = Optional.of(reason);
    }

    /** Takes a welcome; a repeated one changes nothing. */
    void welcome(int size) {
        if (window.isEmpty()) {
            window = Optional.of(new SendWindow(Math.max(1, size)));
        }
    }

    /** False if too many wait: then the packet is lost. */
    boolean add(Outgoing packet, long now) {
        boolean fits = waiting.size() < MAX_WAITING;
        if (fits) {
            waiting.add(new Waiting(packet, now));
        }
        return fits;
    }

    /** Removes what waits to leave. */
    List<Outgoing> removeWaiting() {
        return removeWaiting(Long.MAX_VALUE);
    }

    /** Removes what has waited too long. */
    List<Outgoing> removeLate(long now) {
        return removeWaiting(now - MAX_WAIT_NANOS);
    }

    private List<Outgoing> removeWaiting(long before) {
        List<Outgoing> removed = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.element().since < before) {
            removed.add(waiting.remove().packet);
        }
        return removed;
    }

    /** Returns the next train, if packets wait and may leave. */
    Optional<NodeMessage.Train> nextTrain(long self) {
        if (window.isEmpty() || waiting.isEmpty() || window.get().room() == 0) {
            return Optional.empty();
        }
        SendWindow open = window.get();
        List<Carried> packets = new ArrayList<>();
        int bytes = 0;
        while (!waiting.isEmpty() && packets.size() < open.room()) {
            Carried next = waiting.element().packet.carried();
            bytes += TrainCodec.boundBytes(next);
            if (bytes > MAX_TRAIN_BYTES && !packets.isEmpty()) {
                break;
            }
            packets.add(next);
            waiting.remove().packet.ends();
        }
        return Optional.of(new NodeMessage.Train(self, open.sent(packets.size()), packets));
    }

    void granted(long consumed) {
        window.ifPresent(open -> open.granted(consumed));
    }

    /** Returns the probe that is due: nothing was sent since the last call, and packets have no grant. */
    Optional<NodeMessage.Probe> probe(long self) {
        return window.filter(open -> {
                    boolean silent = open.next() == sentBefore;
                    sentBefore = open.next();
                    return silent && !open.isIdle();
                })
                .map(open -> new NodeMessage.Probe(self, open.next()));
    }

    /** Takes a train; returns how many packets before it were lost, or a negative number if it is dropped. */
    long arrived(NodeMessage.Train train) {
        long lost = received.arrived(train.first(), train.count());
        if (lost >= 0) {
            arrived.addAll(train.packets());
            received.consumed(train.count() - train.packets().size());
        }
        return lost;
    }

    /** Takes a probe; returns how many packets were lost. */
    long announced(long next) {
        return received.announced(next);
    }

    /**
     * Removes the next packets for the fabric: one that is damaged, or whole ones of the same queue pair and route.
     *
     * @param most at least 1
     */
    List<Carried> pollArrived(int most) {
        List<Carried> run = new ArrayList<>();
        int limit = Math.min(most, Switchboard.MAX_BATCH);
        while (!arrived.isEmpty()
                && run.size() < limit
                && (run.isEmpty() || continues(run.getFirst(), arrived.element()))) {
            run.add(arrived.remove());
        }
        received.consumed(run.size());
        return run;
    }

    private static boolean continues(Carried first, Carried next) {
        return first.damagedFrame().isEmpty()
                && next.damagedFrame().isEmpty()
                && first.packet().bth().destQp() == next.packet().bth().destQp()
                && first.packet().route().equals(next.packet().route());
    }

    boolean hasArrived() {
        return !arrived.isEmpty();
    }

    /** Returns the grant that is due. */
    Optional<NodeMessage.Grant> grant(long self) {
        return received.isGrantDue(GRANT_STEP) ? Optional.of(grantNow(self)) : Optional.empty();
    }

    NodeMessage.Grant grantNow(long self) {
        return new NodeMessage.Grant(self, received.grant());
    }
}
