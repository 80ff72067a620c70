// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.tests.cable.ReadyProcess;
import org.hcaactors.tests.cluster.Node;

/** Two nodes of a cluster, of which this JVM is the one with the active ends, and a {@link FarMemoryProgram} the other one. */
final class ProcessPlace implements RcPlace {
    /** A busy machine delays answers. */
    static final RcConnection TERMS = RcConnection.DEFAULT.withTimeout(Duration.ofMillis(130));

    private static final int MEMORY = 1 << 16;
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String NAME = "near";

    private final Node node = Node.first(NAME);
    private final ReadyProcess program = ReadyProcess.start(FarMemoryProgram.class, NAME, node.seed());
    private final FarMemory far;

    ProcessPlace() {
        node.awaitAdapters(FarMemoryProgram.NAME);
        List<Long> place = numbers(program.ask("place"));
        far = new OverLines(address(place.subList(0, 2)), address(place.subList(2, 4)));
    }

    private static List<Long> numbers(String answer) {
        return Arrays.stream(answer.split(" ")).map(Long::valueOf).toList();
    }

    private static RemoteAddress address(List<Long> place) {
        return new RemoteAddress(place.getFirst().intValue(), place.getLast());
    }

    @Override
    public Connected connect(Access... rights) {
        RcQueuePair qp = node.host.await(node.host.domain.createQp(QpDescription.rc()));
        String granted = Arrays.stream(rights).map(Access::name).collect(Collectors.joining(","));
        int number = Integer.parseInt(program.ask("connect " + qp.number() + " " + granted));
        node.host.await(
                qp.connect(node.host.network.locate(FarMemoryProgram.NAME).orElseThrow(), number, TERMS));
        RcEnd near = new RcEnd(Side.within(node.host.network, node.host.domain, MEMORY), qp);
        return new Connected(node.host.network, near, far, () -> {});
    }

    /** The other JVM's memory. */
    private final class OverLines implements FarMemory {
        private final RemoteAddress memory;
        private final RemoteAddress guarded;

        OverLines(RemoteAddress memory, RemoteAddress guarded) {
            this.memory = memory;
            this.guarded = guarded;
        }

        @Override
        public RemoteAddress remote(long offset) {
            return memory.plus(offset);
        }

        @Override
        public RemoteAddress guarded() {
            return guarded;
        }

        @Override
        public long readLong(long offset) {
            return Long.parseLong(program.ask("read " + offset));
        }

        @Override
        public void writeLong(long offset, long value) {
            program.ask("write " + offset + " " + value);
        }

        @Override
        public void postReceive(long workId, long offset, int bytes) {
            program.ask("receive " + workId + " " + offset + " " + bytes);
        }

        @Override
        public List<Received> received() {
            String came = await().atMost(LONGEST).until(() -> program.ask("poll"), answer -> !answer.isEmpty());
            return Arrays.stream(came.split(","))
                    .map(each -> each.split(" "))
                    .map(words -> new Received(Long.parseLong(words[0]), Status.valueOf(words[1])))
                    .toList();
        }
    }

    @Override
    public void close() throws InterruptedException {
        node.close();
        program.close();
    }
}
