// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.NamedQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.scenario.Scenario.Rework;
import org.hcaactors.lab.world.World;

/** A connection of a scenario in its world. */
final class ScenarioConnection {
    /** Name of the only process of each adapter. */
    static final String PROCESS = "app";

    private static final int IMMEDIATE = 0x1234;

    private final World world;
    final Line line;
    private final ConnectionPlan plan;
    private final List<Job> jobs;
    /** Receive completions that were polled at both ends. */
    private final List<WorkCompletion> received = new ArrayList<>();

    private final Optional<WokenProgram> program;
    private final Ends<?> ends;
    private final Optional<IndirectView> pieced;
    private final Optional<HostQueues> named;
    private final Optional<WindowView> atFirst;
    private final Optional<WindowView> atSecond;

    /** @param environments environments of processes, by adapter name */
    ScenarioConnection(
            World world,
            Line line,
            List<Job> jobs,
            Map<String, Map<String, String>> environments,
            SplittableRandom random) {
        this.world = world;
        this.line = line;
        this.jobs = jobs;
        plan = new ConnectionPlan(world, line, jobs, environments, random);
        Half first = polled(plan.half(line.first()));
        Half other = plan.half(line.second());
        DeviceContext otherContext = other.side().context();
        program = line.thread()
                .map(thread -> new WokenProgram(world, otherContext, plan.entries(), thread, received::add));
        Half plain = program.map(thread -> other.withSendCq(world.await(otherContext.createCq(plan.entries())))
                        .withRecvCq(thread.queue()))
                .orElseGet(() -> polled(other));
        Half second = line.pieces().isPresent() ? plain.withKeyFilling(2) : plain;
        ends = line.transport()
                .join(world.network(), first, line.shared() ? plan.sharing(second) : second, line.attributes());
        named = ends.a() instanceof XrcEnd a && ends.b() instanceof XrcEnd b
                ? Optional.of(new HostQueues(a, queues(b)))
                : Optional.empty();
        atFirst = bindsAt(jobs, false) ? Optional.of(WindowView.of(world, ends.a())) : Optional.empty();
        atSecond = bindsAt(jobs, true) ? Optional.of(WindowView.of(world, ends.b())) : Optional.empty();
        pieced = line.pieces().map(pieces -> IndirectView.of(world, ends.b(), pieces, plan.reach()));
    }

    /** Takes two ends that communication management has connected; nothing is posted or polled yet. */
    ScenarioConnection(World world, ConnectionPlan plan, Ends<?> ends) {
        this.world = world;
        this.plan = plan;
        this.ends = ends;
        line = plan.line();
        jobs = plan.jobs();
        program = Optional.empty();
        named = Optional.empty();
        atFirst = bindsAt(jobs, false) ? Optional.of(WindowView.of(world, ends.a())) : Optional.empty();
        atSecond = bindsAt(jobs, true) ? Optional.of(WindowView.of(world, ends.b())) : Optional.empty();
        pieced = Optional.empty();
    }

    private static boolean bindsAt(List<Job> jobs, boolean second) {
        return jobs.stream().anyMatch(job -> job.verb() == Scenario.Verb.BIND && job.fromSecond() == second);
    }

    /** Creates the queues of the second end: its own, and those of further processes. */
    private List<NamedQueue> queues(XrcEnd second) {
        List<NamedQueue> all = new ArrayList<>(List.of(second.queue()));
        for (int i = 1; i < line.stocks().size(); i++) {
            Side side = plan.side(line.second(), PROCESS + "-" + (i + 1));
            NamedQueue queue = HostQueues.of(world, side, plan.entries(), plan.depth());
            if (line.polled() && line.polledAt().isZero()) {
                poll(queue.completions());
            }
            all.add(queue);
        }
        return all;
    }

    private Half polled(Half bare) {
        Half half = bare.withQueues(world.network(), plan.entries());
        if (line.polled() && line.polledAt().isZero()) {
            half.recvCq().ifPresent(this::poll);
        }
        return half;
    }

    /** Starts its thread, if it has one. */
    void wake() {
        program.ifPresent(WokenProgram::start);
    }

    /** Begins polling at both ends. */
    void poll() {
        poll(ends.a().recvCq());
        poll(ends.b().recvCq());
        named.ifPresent(queues -> queues.others().forEach(queue -> poll(queue.completions())));
    }

    private void poll(CompletionQueue queue) {
        queue.completions().subscribe(Subscribers.forEach(received::add, reason -> {}));
    }

    List<WorkCompletion> received() {
        return received;
    }

    /** Posts the receives that messages need: at both ends, or at another queue of the second. */
    void postReceives(int queue) {
        int count = plan.receives(false, queue);
        if (queue == 0) {
            postReceives(ends.a(), plan.receives(true, 0));
            postReceives(ends.b(), count);
        } else {
            NamedQueue other = named.orElseThrow().queue(queue);
            for (int i = 0; i < count; i++) {
                other.postReceive(Receive.of(i, other.side().slice(plan.receivesAt(), (int) line.receiveBytes())));
            }
        }
        if (line.limit() > 0) {
            named.map(queues -> queues.queue(queue).queue())
                    .or(() -> ends.b().qp().srq())
                    .ifPresent(shared -> world.await(shared.armLimit(line.limit())));
        }
    }

    private void postReceives(End end, int count) {
        int bytes = (int) line.receiveBytes() + end.transport().headroomBytes();
        for (int i = 0; i < count; i++) {
            end.postReceive(Receive.of(i, end.slice(plan.receivesAt(), bytes)));
        }
    }

    /** Submits one request of a job. */
    CompletionStage<WorkCompletion> submit(Job job, long id) {
        End from = job.fromSecond() ? ends.b() : ends.a();
        LocalSlice local = from.slice(job.offset(), (int) job.bytes());
        WorkRequest work = switch (job.verb()) {
            case BIND -> framed(job.fromSecond()).bind(id, job.offset(), job.bytes());
            case INVALIDATE -> framed(job.fromSecond()).invalidate(id);
            case SEND_WITH_INVALIDATE ->
                Send.of(id, local)
                        .withInvalidate(framed(!job.fromSecond()).window().rkey());
            case WRITE, WRITE_WITH_IMMEDIATE, READ, SEND, FETCH_ADD, COMPARE_SWAP, MASKED_ADD, MASKED_SWAP ->
                request(job, id, local, place(job));
        };
        if (from instanceof DcEnd initiator && job.accessKey().isPresent()) {
            return initiator.submit(job.accessKey().get(), work);
        }
        return named.filter(queues -> !job.fromSecond())
                .map(queues -> queues.submit(job, work))
                .orElseGet(() -> from.submit(work));
    }

    /** Returns the remote address. */
    private RemoteAddress place(Job job) {
        if (job.window()) {
            return framed(!job.fromSecond()).remote(job.offset());
        }
        RemoteAddress whole = pieced.filter(shown -> !job.fromSecond())
                .map(shown -> shown.key().remote(job.offset()))
                .orElseGet(() -> accessedSide(job).remote(job.offset()));
        return new RemoteAddress(job.rkey().orElse(whole.rkey()), whole.address());
    }

    /** Returns the side whose memory it accesses. */
    private Side accessedSide(Job job) {
        Side whole = (job.fromSecond() ? ends.a() : ends.b()).side();
        return named.filter(queues -> !job.fromSecond())
                .map(queues -> queues.queue(job.queue()).side())
                .orElse(whole);
    }

    private WindowView framed(boolean atSecondEnd) {
        return (atSecondEnd ? atSecond : atFirst).orElseThrow();
    }

    /** Reregisters a region. The result is visible in the run. */
    void change(Rework change) {
        Side side = (change.ofSecond() ? ends.b() : ends.a()).side();
        List<Reregistration.Change> changes = new ArrayList<>();
        change.rights().ifPresent(rights -> changes.add(Reregistration.Change.ACCESS));
        boolean translates = change.moves() || change.onDemand();
        if (translates) {
            changes.add(Reregistration.Change.TRANSLATION);
        }
        Reregistration requested = Reregistration.of(changes.toArray(Reregistration.Change[]::new))
                .withAccess(change.rights().orElse(AccessFlags.NONE));
        side.region().reregister(translates ? requested.withTranslation(place(change, side)) : requested);
    }

    private Registration place(Rework change, Side side) {
        if (change.allocates()) {
            return Registration.allocated(plan.memoryBytes());
        }
        Registration mapped =
                Registration.of(change.moves() ? side.context().process().allocate(plan.memoryBytes()) : side.memory());
        return change.onDemand() ? mapped.withOnDemandPaging() : mapped;
    }

    private static WorkRequest request(Job job, long id, LocalSlice local, RemoteAddress remote) {
        return switch (job.verb()) {
            case WRITE -> RdmaWrite.of(id, local, remote);
            case WRITE_WITH_IMMEDIATE -> RdmaWrite.of(id, local, remote).withImmediate(IMMEDIATE);
            case READ -> RdmaRead.of(id, local, remote);
            case SEND -> Send.of(id, local);
            case FETCH_ADD -> FetchAdd.of(id, local, remote, 1);
            case COMPARE_SWAP -> CompareAndSwap.of(id, local, remote, id, id + 1);
            case MASKED_ADD -> {
                AtomicValue one = eachByte(job, 0x01);
                yield MaskedFetchAdd.of(id, List.of(local), remote, one).withBoundary(eachByte(job, 0x80));
            }
            case MASKED_SWAP ->
                MaskedCompareAndSwap.of(id, local, remote, eachByte(job, 0), value(job, id))
                        .withCompareMask(eachByte(job, 0))
                        .withSwapMask(value(job, 0xFF));
            case SEND_WITH_INVALIDATE, BIND, INVALIDATE ->
                throw new IllegalArgumentException(job.verb() + " transfers no bytes");
        };
    }

    private static AtomicValue eachByte(Job job, int octet) {
        return value(job, 0x0101_0101_0101_0101L * octet);
    }

    private static AtomicValue value(Job job, long low) {
        return job.bytes() == Integer.BYTES ? AtomicValue.ofInt((int) low) : AtomicValue.ofLong(low);
    }

    /** True if both ends hold the same bytes after the job's copy. */
    boolean isCopied(Job job) {
        int count = (int) job.bytes();
        byte[] copied = pieced.map(shown -> shown.read(job.offset(), count))
                .orElseGet(() -> (job.fromSecond() ? ends.b().side() : accessedSide(job))
                        .memory()
                        .read(job.offset(), count));
        return Arrays.equals(ends.a().memory().read(job.offset(), count), copied);
    }
}
