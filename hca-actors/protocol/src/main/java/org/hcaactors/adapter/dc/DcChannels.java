// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SendQueue;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.SilentSlots;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;

// rules dc-streams, dc-stream-error
/**
 * Initiator with streams. Each stream belongs to one of the channels, and each channel has its own requests, PSNs and
 * connection. A request that fails takes its stream to error, and the other streams continue until too many streams are in
 * error.
 */
final class DcChannels implements Initiator {
    /** One channel with its send ledger. */
    private record Channel(SendLedger ledger, DcRequester requester) {}

    private final Channel[] channels;
    private final int maxErrored;
    private final Set<Integer> errored = new LinkedHashSet<>();

    /** Rotates the channel that sends first, so that no channel starves. */
    private int turns;

    DcChannels(QpParts parts, DcStreams streams) {
        maxErrored = streams.errored();
        channels = new Channel[streams.channels()];
        SilentSlots silent = new SilentSlots();
        for (int i = 0; i < channels.length; i++) {
            SendLedger ledger =
                    new SendLedger(parts.settings(), parts.plan().capacity().maxSendWr(), silent);
            QpParts own = new QpParts(
                    parts.plan(),
                    parts.settings(),
                    ledger,
                    parts.memory(),
                    parts.admission(),
                    parts.buffer(),
                    parts.runs());
            channels[i] = new Channel(ledger, new DcRequester(own, i));
        }
    }

    private Channel of(int stream) {
        return channels[stream % channels.length];
    }

    private static int stream(PostedRequest posted) {
        return posted.toTarget().stream();
    }

    private int sum(ToIntFunction<Channel> of) {
        int sum = 0;
        for (Channel channel : channels) {
            sum += of.applyAsInt(channel);
        }
        return sum;
    }

    private boolean any(Predicate<DcRequester> is) {
        for (Channel channel : channels) {
            if (is.test(channel.requester)) {
                return true;
            }
        }
        return false;
    }

    SendQueue queue() {
        return new Queue();
    }

    /** The send queues of all channels as one. */
    private final class Queue implements SendQueue {
        @Override
        public void add(PostedRequest posted) {
            of(stream(posted)).ledger.add(posted);
        }

        @Override
        public void flush(Turn turn) {
            for (Channel channel : channels) {
                channel.ledger.flush(turn);
            }
        }

        @Override
        public void reset(Turn turn) {
            errored.clear();
            for (Channel channel : channels) {
                channel.ledger.reset(turn);
            }
        }

        @Override
        public int waiting() {
            return sum(channel -> channel.ledger.waiting());
        }

        @Override
        public int started() {
            return sum(channel -> channel.ledger.started());
        }
    }

    // rule dc-stream-reset
    @Override
    public void resetStream(int stream) {
        Dc.checkStream(stream, Dc.MAX_STREAMS);
        if (!errored.remove(stream)) {
            throw VerbsException.invalid("stream " + stream + " is not in error; those in error are " + errored);
        }
    }

    @Override
    public void start() {
        for (Channel channel : channels) {
            channel.requester.start();
        }
    }

    @Override
    public void modified() {
        for (Channel channel : channels) {
            channel.requester.modified();
        }
    }

    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        int channel = packet.dcEth().channel();
        return channel < channels.length
                ? channels[channel].requester.refusal(packet, state)
                : Optional.of(PacketMismatch.OneWay.NO_REQUESTER);
    }

    @Override
    public void response(Packet packet, Turn turn) {
        channels[packet.dcEth().channel()].requester.response(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        int sent = 0;
        int first = turns++;
        for (int i = 0; i < channels.length; i++) {
            Channel channel = channels[Math.floorMod(first + i, channels.length)];
            flushErrored(channel, turn);
            sent += channel.requester.transmit(budget - sent, mayStart, turn);
        }
        return sent;
    }

    private boolean isErrored(PostedRequest posted, boolean started) {
        return errored.contains(stream(posted));
    }

    /** Flushes the requests posted to streams in error. No started request belongs to such a stream. */
    private void flushErrored(Channel channel, Turn turn) {
        if (!errored.isEmpty() && !channel.ledger.hasOutstanding() && channel.ledger.has(this::isErrored)) {
            channel.ledger.flush(this::isErrored, turn);
            channel.requester.requeued();
        }
    }

    @Override
    public void resume(Turn turn) {
        for (Channel channel : channels) {
            channel.requester.resume(turn);
        }
    }

    @Override
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        for (Channel channel : channels) {
            channel.requester.keyChanged(ticket, refusal, turn);
        }
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        for (Channel channel : channels) {
            channel.requester.pagesServed(kind, ticket, refusal, turn);
        }
    }

    @Override
    public long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Channel channel : channels) {
            next = Math.min(next, channel.requester.nextDeadline());
        }
        return next;
    }

    @Override
    public void timeout(Turn turn) {
        for (Channel channel : channels) {
            if (turn.now() >= channel.requester.nextDeadline()) {
                channel.requester.timeout(turn);
            }
        }
    }

    // rule dc-stream-error
    /** Takes the streams of failed requests to error; the whole initiator fails if too many streams are in error. */
    @Override
    public SideStatus settle(Turn turn) {
        for (Channel channel : channels) {
            if (channel.requester.settle(turn) == SideStatus.FAILED) {
                errored.add(stream(channel.ledger.failed()));
                channel.ledger.flush(this::isErrored, turn);
                channel.requester.continueAfterFailure();
            }
        }
        return errored.size() >= maxErrored ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    @Override
    public QpState afterFailure() {
        return QpState.ERR;
    }

    @Override
    public boolean isBusy() {
        return any(DcRequester::isBusy);
    }

    @Override
    public int nextPsn() {
        return channels[0].requester.nextPsn();
    }

    @Override
    public boolean isBackingOff() {
        return any(DcRequester::isBackingOff);
    }

    @Override
    public boolean hasNoTimeout() {
        return channels[0].requester.hasNoTimeout();
    }

    @Override
    public int packetsHeld() {
        return sum(channel -> channel.requester.packetsHeld());
    }

    @Override
    public void quiesce() {
        for (Channel channel : channels) {
            channel.requester.quiesce();
        }
    }
}
