// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;

/**
 * The queue pairs of a perftest's client, and the messages that it measures. Its memory has two areas: messages leave from the
 * first, and the second is the server's. One thread.
 */
final class PerftestLoad {
    /** Requests of a queue pair that are outstanding at most, as perftest's {@code --tx-depth}. */
    private static final int WINDOW = 128;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    /** Time between two looks at memory that the server will write. */
    private static final long LOOK_NANOS = 5_000;

    private final Station station;
    private final PerftestPlan plan;
    private final Side side;
    private final int areaBytes;
    private final PathMtu mtu;
    private final Inbox inbox;
    private final List<UnconnectedQp> created = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();

    /** @param side memory of two areas */
    PerftestLoad(Station station, PerftestPlan plan, Side side, int areaBytes, PathMtu mtu) {
        this.station = station;
        this.plan = plan;
        this.side = side;
        this.areaBytes = areaBytes;
        this.mtu = mtu;
        int entries = plan.queuePairs() * (WINDOW + 1);
        inbox = new Inbox(station.network().await(side.context().createCq(entries)));
        for (int i = 0; i < plan.queuePairs(); i++) {
            created.add(create());
        }
        byte[] content = new byte[terms().bytes()];
        new Random(content.length).nextBytes(content);
        side.memory().write(0, content);
    }

    private UnconnectedQp create() {
        QpCapacity capacity = QpCapacity.of(WINDOW).withMaxSge(1).withMaxInlineBytes(0);
        return UnconnectedQp.create(station.network(), side, terms().transport(), mtu, inbox.queue(), capacity);
    }

    private PerftestTerms terms() {
        return plan.terms();
    }

    PerftestKeys keys(int queuePair) {
        UnconnectedQp qp = created.get(queuePair);
        return new PerftestKeys(
                RcConnection.DEFAULT.rdAtomic(),
                QpAddress.of(station.adapter().gid(), qp.qp().number(), qp.firstPsn()),
                side.remote(areaBytes));
    }

    /** @param servers keys of the server, one for each queue pair */
    void connect(List<PerftestKeys> servers) {
        for (int i = 0; i < servers.size(); i++) {
            PerftestKeys server = servers.get(i);
            int outstanding = Math.clamp(server.outstanding(), 1, RcConnection.DEFAULT.rdAtomic());
            ends.add(created.get(i).connecting().to(server.address(), outstanding));
        }
    }

    /** Connects each queue pair by communication management. */
    void connect(DeviceContext context, InetSocketAddress server) throws InterruptedException {
        for (int i = 0; i < created.size(); i++) {
            int queuePair = i;
            Runnable attempt = () -> station.network()
                    .await(context.connect(server, created.get(queuePair).description(mtu)));
            // A refusal costs the queue pair.
            ConnectionAttempts.OF_PERFTEST.make(attempt, () -> created.set(queuePair, create()));
            ends.add(created.get(queuePair).connected());
        }
    }

    /** Posts the first receive, if the server sends messages. */
    void begin() {
        if (terms().tool() == PerftestTool.SEND_LAT) {
            receive();
        }
    }

    private void receive() {
        ends.getFirst()
                .postReceive(
                        Receive.of(1, side.slice(areaBytes, terms().transport().headroomBytes() + terms().bytes())));
    }

    /** Runs the test. */
    PerftestFigures run(List<PerftestKeys> servers, LongConsumer progress) throws PeerException, InterruptedException {
        List<WorkRequest> requests = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            requests.add(request(i, servers.get(i).memory()));
        }
        return switch (terms().tool()) {
            case SEND_LAT -> times(requests.getFirst(), 2, this::awaitMessage, progress);
            case READ_LAT, ATOMIC_LAT -> times(requests.getFirst(), 1, this::awaitCompletion, progress);
            case WRITE_LAT -> writesInTurns(requests.getFirst(), progress);
            case SEND_BW, WRITE_BW, READ_BW, ATOMIC_BW -> rate(requests, progress);
        };
    }

    private WorkRequest request(int queuePair, RemoteAddress server) {
        int bytes = terms().bytes();
        return switch (terms().tool()) {
            case SEND_BW, SEND_LAT -> Send.of(queuePair, side.slice(0, bytes)).withSignaled();
            case WRITE_BW, WRITE_LAT ->
                RdmaWrite.of(queuePair, side.slice(0, bytes), server).withSignaled();
            case READ_BW, READ_LAT ->
                RdmaRead.of(queuePair, side.slice(areaBytes, bytes), server).withSignaled();
            case ATOMIC_BW, ATOMIC_LAT ->
                FetchAdd.of(queuePair, side.slice(areaBytes, bytes), server, 1).withSignaled();
        };
    }

    private PerftestFigures rate(List<WorkRequest> requests, LongConsumer progress)
            throws PeerException, InterruptedException {
        long all = plan.iterations() * requests.size();
        long[] toPost = new long[requests.size()];
        long first = Math.min(WINDOW, plan.iterations());
        Arrays.fill(toPost, plan.iterations() - first);
        long start = System.nanoTime();
        Peak peak = new Peak(all, start);
        for (int i = 0; i < requests.size(); i++) {
            for (long posted = 0; posted < first; posted++) {
                ends.get(i).post(requests.get(i));
            }
        }
        long posted = first * requests.size();
        for (long done = 0; done < all; done++) {
            int queuePair = (int) next().workId();
            if (peak.ends(done)) {
                peak.completed(done, System.nanoTime());
            }
            if (toPost[queuePair] > 0) {
                if (peak.begins(posted)) {
                    peak.posted(posted, System.nanoTime());
                }
                toPost[queuePair]--;
                posted++;
                ends.get(queuePair).post(requests.get(queuePair));
            }
            progress.accept(done + 1);
        }
        return new PerftestFigures.Rate(all, Math.max(1, System.nanoTime() - start), peak.rate());
    }

    /** Waits until a message is done. */
    private interface Answer {
        void await() throws PeerException, InterruptedException;
    }

    private PerftestFigures times(WorkRequest request, int ways, Answer answer, LongConsumer progress)
            throws PeerException, InterruptedException {
        long[] nanos = new long[(int) plan.iterations()];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            ends.getFirst().post(request);
            answer.await();
            nanos[i] = (System.nanoTime() - start) / ways;
            progress.accept(i + 1);
        }
        return new PerftestFigures.Times(nanos);
    }

    private void awaitCompletion() throws PeerException, InterruptedException {
        next();
    }

    /** A message comes back; the completion of the one that was sent comes before or after it. */
    private void awaitMessage() throws PeerException, InterruptedException {
        boolean arrived = next().kind() == CompletionKind.RECV;
        boolean arrivedSecond = next().kind() == CompletionKind.RECV;
        if (arrived == arrivedSecond) {
            throw new PeerException("it sent two messages back for one");
        }
        receive();
    }

    /** Both write the number of a message to its last byte, the server first; so there is a time less than messages. */
    private PerftestFigures writesInTurns(WorkRequest request, LongConsumer progress)
            throws PeerException, InterruptedException {
        int messages = (int) plan.iterations();
        long[] nanos = new long[messages - 1];
        long before = 0;
        int completed = 0;
        for (int i = 0; i < messages; i++) {
            byte number = (byte) (i + 1);
            completed += awaitWritten(number);
            long now = System.nanoTime();
            if (i > 0) {
                nanos[i - 1] = (now - before) / 2;
            }
            before = now;
            side.memory().write(terms().bytes() - 1L, new byte[] {number});
            ends.getFirst().post(request);
            progress.accept(i + 1L);
        }
        while (completed < messages) {
            next();
            completed++;
        }
        return new PerftestFigures.Times(nanos);
    }

    /** Returns the number of own messages that are complete meanwhile. */
    private int awaitWritten(byte number) throws PeerException, InterruptedException {
        long end = System.nanoTime() + LONGEST_SILENCE.toNanos();
        int completed = 0;
        while (side.memory().read(areaBytes + terms().bytes() - 1L, 1)[0] != number) {
            if (System.nanoTime() - end > 0) {
                throw new PeerException("it wrote nothing for " + LONGEST_SILENCE.toSeconds() + " s");
            }
            Optional<WorkCompletion> own = inbox.next(Duration.ZERO);
            if (own.isPresent()) {
                successful(own.get());
                completed++;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return completed;
    }

    private WorkCompletion next() throws PeerException, InterruptedException {
        return successful(inbox.next(LONGEST_SILENCE)
                .orElseThrow(() -> new PeerException(
                        "nothing completes any more: " + LONGEST_SILENCE.toSeconds() + " s of silence")));
    }

    private static WorkCompletion successful(WorkCompletion completion) throws PeerException {
        if (!completion.isSuccess()) {
            throw new PeerException("a request ended with " + completion.status());
        }
        return completion;
    }
}
