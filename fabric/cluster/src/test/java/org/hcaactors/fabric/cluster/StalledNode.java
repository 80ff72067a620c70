// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Nodes that send to one that stands still for a while, over {@link NodeLink}s. */
final class StalledNode {
    private static final long STEP_NANOS = 1_000_000;
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Outgoing PACKET = Packets.outgoing(0, 64);

    private final EventLoop loop;
    private final List<SendingNode> senders = new ArrayList<>();
    private final List<Runnable> mailbox = new ArrayList<>();
    private boolean stalled;
    private int underWay;
    private int mostUnderWay;

    private final class SendingNode {
        final int perStep;
        final NodeLink out = new NodeLink();
        final NodeLink in = new NodeLink();
        long lastArrival;
        long given;
        long delivered;
        long full;
        long late;
        int waiting;
        int mostWaiting;

        SendingNode(int perStep) {
            this.perStep = perStep;
            out.welcome(NodeLink.WINDOW);
        }

        void step() {
            for (int i = 0; i < perStep; i++) {
                given++;
                if (out.add(PACKET, loop.now())) {
                    waiting++;
                } else {
                    full++;
                }
            }
            sendTrains();
            mostWaiting = Math.max(mostWaiting, waiting);
        }

        void sendTrains() {
            for (var train = out.nextTrain(1); train.isPresent(); train = out.nextTrain(1)) {
                NodeMessage.Train sent = train.get();
                waiting -= sent.count();
                underWay += sent.count();
                mostUnderWay = Math.max(mostUnderWay, underWay);
                receive(() -> arrived(sent));
            }
        }

        /** Artery keeps the order of messages. */
        void receive(Runnable message) {
            lastArrival = loop.send(lastArrival, () -> {
                if (stalled) {
                    mailbox.add(message);
                } else {
                    message.run();
                }
            });
        }

        void arrived(NodeMessage.Train train) {
            in.arrived(train);
            while (in.hasArrived()) {
                int packets = in.pollArrived(Integer.MAX_VALUE).size();
                delivered += packets;
                underWay -= packets;
            }
            in.grant(2).ifPresent(this::answer);
        }

        void answer(NodeMessage.Grant grant) {
            loop.send(() -> {
                out.granted(grant.consumed());
                sendTrains();
            });
        }

        void tick() {
            int removed = out.removeLate(loop.now()).size();
            late += removed;
            waiting -= removed;
            out.probe(1)
                    .ifPresent(probe -> receive(() -> {
                        in.announced(probe.next());
                        answer(in.grantNow(2));
                    }));
        }
    }

    /**
     * Result of a run.
     *
     * @param full packets lost because too many waited
     * @param late packets lost because they waited too long
     * @param mostWaiting maximum number of packets that waited at one sender
     * @param mostUnderWay maximum number of packets under way to the node that stood still
     */
    record Result(long given, long delivered, long full, long late, int mostWaiting, int mostUnderWay) {}

    /** @param packetsPerMilli of each sender */
    StalledNode(EventLoop loop, List<Integer> packetsPerMilli) {
        this.loop = loop;
        packetsPerMilli.forEach(each -> senders.add(new SendingNode(each)));
    }

    /** Sends for that time, with a stall after the first second; then lets all packets arrive. */
    Result run(Duration sending, Duration stall) {
        senders.forEach(sender -> {
            loop.every(TICK, sender::tick);
            repeat(sender, loop.now() + sending.toNanos());
        });
        loop.after(Duration.ofSeconds(1).toNanos(), () -> stalled = true);
        loop.after(Duration.ofSeconds(1).plus(stall).toNanos(), () -> {
            stalled = false;
            List.copyOf(mailbox).forEach(Runnable::run);
            mailbox.clear();
        });
        loop.runFor(sending.plusSeconds(2));
        return new Result(
                sum(sender -> sender.given),
                sum(sender -> sender.delivered),
                sum(sender -> sender.full),
                sum(sender -> sender.late),
                senders.stream().mapToInt(sender -> sender.mostWaiting).max().orElseThrow(),
                mostUnderWay);
    }

    private long sum(ToLongFunction<SendingNode> number) {
        return senders.stream().mapToLong(number).sum();
    }

    private void repeat(SendingNode sender, long end) {
        if (loop.now() < end) {
            sender.step();
            loop.after(STEP_NANOS, () -> repeat(sender, end));
        }
    }
}
