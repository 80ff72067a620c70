// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.world.World;

/** Sizes and halves of a connection, as its requests need them. */
final class ConnectionPlan {
    private static final int MIN_MEMORY = 4096;
    private static final int MIN_DEPTH = 16;

    private final World world;
    private final Line line;
    private final List<Job> jobs;
    private final Map<String, Map<String, String>> environments;
    private final SplittableRandom random;
    private final int requests;
    private final long reach;
    private final long receivesAt;
    private final long memoryBytes;

    /** @param environments environments of processes, by adapter name */
    ConnectionPlan(
            World world,
            Line line,
            List<Job> jobs,
            Map<String, Map<String, String>> environments,
            SplittableRandom random) {
        this.world = world;
        this.line = line;
        this.jobs = List.copyOf(jobs);
        this.environments = environments;
        this.random = random;
        requests = jobs.stream().mapToInt(Job::times).sum();
        reach = jobs.stream().mapToLong(job -> job.offset() + job.bytes()).max().orElse(0);
        long shown = line.pieces()
                .map(pieces -> IndirectView.memoryBytes(pieces, reach))
                .orElse(reach);
        receivesAt = shown + 7 & -8;
        memoryBytes = Math.max(MIN_MEMORY, receivesAt + line.receiveBytes() + UdQueuePair.GRH_BYTES + 7 & -8);
    }

    Line line() {
        return line;
    }

    List<Job> jobs() {
        return jobs;
    }

    /** Returns the bytes that the jobs copy. */
    long reach() {
        return reach;
    }

    /** Returns the offset of the receives, behind the bytes that the jobs copy. */
    long receivesAt() {
        return receivesAt;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    int depth() {
        return Math.max(MIN_DEPTH, requests);
    }

    /** Returns the size of each completion queue. */
    int entries() {
        return line.cqEntries().orElse(Math.max(MIN_DEPTH, 2 * requests));
    }

    /**
     * Returns the number of receives to post; none if no message is sent there.
     *
     * @param atFirst true for the first end, otherwise for one queue of the second
     */
    int receives(boolean atFirst, int queue) {
        int messages = jobs.stream()
                .filter(job -> job.fromSecond() == atFirst && job.verb().takesReceive())
                .filter(job -> job.queue() == queue && job.srqNumber().isEmpty())
                .mapToInt(Job::times)
                .sum();
        return messages == 0 ? 0 : line.stocks().get(queue).receives().orElse(messages);
    }

    /** Opens the adapter in a process of its host. */
    static DeviceContext open(
            World world, String adapter, String process, Map<String, Map<String, String>> environments) {
        return world.adapter(adapter).process(process).open(environments.getOrDefault(adapter, Map.of()));
    }

    /** Returns memory in a process, filled with random bytes. */
    Side side(String adapter, String process) {
        return side(open(world, adapter, process, environments));
    }

    private Side side(DeviceContext context) {
        Side side = Side.within(world.network(), context.allocatePd(), memoryBytes);
        byte[] bytes = new byte[(int) memoryBytes];
        random.nextBytes(bytes);
        side.memory().write(0, bytes);
        return side;
    }

    /** Returns a half without completion queues, in a context of its own. */
    Half half(String adapter) {
        return half(open(world, adapter, ScenarioConnection.PROCESS, environments));
    }

    private Half half(DeviceContext context) {
        Side side = side(context);
        QpCapacity capacity = within(side.adapter().profile().queues(), QpCapacity.of(depth()));
        Half half = Half.on(side).withCapacity(capacity);
        return line.inline() ? half.withInlineReceives().withSignalAll() : half;
    }

    /** Returns the first end of a connection by communication management. */
    Half connecting() {
        return half(line.first()).withQueues(world.network(), entries());
    }

    /** Returns the second end of a connection by communication management, in the context of its listener. */
    Half accepting(DeviceContext listener) {
        Half half = half(listener).withQueues(world.network(), entries());
        return line.shared() ? sharing(half) : half;
    }

    Half sharing(Half plain) {
        SrqDescription<SharedReceiveQueue> room =
                SrqDescription.of(Math.max(MIN_DEPTH, receives(false, 0))).withMaxSge(4);
        return plain.withSrq(world.await(plain.side().domain().createSrq(room)));
    }

    /** Limits elements and inline bytes to those of the adapter; no request needs more than one element. */
    private static QpCapacity within(QueueCapabilities max, QpCapacity requested) {
        return requested
                .withMaxSge(Math.min(requested.maxSendSge(), max.maxSge()))
                .withMaxInlineBytes(Math.min(requested.maxInlineBytes(), max.maxInlineBytes()));
    }
}
