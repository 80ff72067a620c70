package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.AddressVector;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcPair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdAddress;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;

/** A connection of a scenario in its world. */
final class Wired {
    private static final int QKEY = 0x1111_1111;
    private static final int IMMEDIATE = 0x1234;

    /** One end of it. */
    final class End {
        final Adapter adapter;
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue sent;
        final CompletionQueue received;
        final List<WorkCompletion> receives = new ArrayList<>();
        private final int expected;

        End(String name, int expected, SplittableRandom lots) {
            this.expected = expected;
            adapter = world.adapter(name);
            var process = adapter.process("app");
            context = process.open();
            domain = context.allocatePd();
            memory = process.allocate(memoryBytes);
            byte[] bytes = new byte[(int) memoryBytes];
            lots.nextBytes(bytes);
            memory.write(0, bytes);
            region = world.await(domain.register(Registration.of(memory).allowing(AccessFlags.LOCAL_AND_REMOTE)));
            int entries = line.cqEntries().orElse(Math.max(16, 2 * requests));
            sent = world.await(context.createCq(CqDescription.of(entries)));
            received = world.await(context.createCq(CqDescription.of(entries)));
            if (line.polled()) {
                received.completions().subscribe(Subscribers.forEach(receives::add, why -> {}));
            }
        }

        private <Q extends QueuePair> QpBuilder<Q> with(QpBuilder<Q> builder) {
            int depth = Math.max(16, requests);
            return builder.sendCq(sent).recvCq(received).capacity(new QpCapacity(depth, depth, 4, 4, 256));
        }

        LocalSlice slice(long offset, long bytes) {
            return region.slice(offset, (int) bytes);
        }
    }

    private final World world;
    final Line line;
    private final int requests;
    private final long memoryBytes;
    /** Receives lie behind what the jobs copy. */
    private final long receivesAt;

    final End first;
    final End second;
    private final @Nullable SharedReceiveQueue shared;
    private final Ports ports;

    /** What the transports have in common, and what they have not. */
    private sealed interface Ports {
        record Rc(RcPair pair) implements Ports {}

        record Uc(UcPair pair) implements Ports {}

        record Ud(UdQueuePair one, UdQueuePair other, UdAddress toOne, UdAddress toOther) implements Ports {}
    }

    Wired(World world, Line line, List<Job> jobs, SplittableRandom lots) {
        this.world = world;
        this.line = line;
        requests = jobs.stream().mapToInt(Job::times).sum();
        long reach =
                jobs.stream().mapToLong(job -> job.offset() + job.bytes()).max().orElse(0);
        receivesAt = reach + 7 & -8;
        memoryBytes = Math.max(4096, receivesAt + line.receiveBytes() + UdQueuePair.GRH_BYTES + 7 & -8);
        first = new End(line.first(), messages(jobs, true), lots);
        second = new End(line.second(), messages(jobs, false), lots);
        SrqDescription room = SrqDescription.of(Math.max(16, receives(second))).withMaxSge(4);
        shared = line.shared() ? world.await(second.domain.createSrq(room)) : null;
        ports = connect();
    }

    private static int messages(List<Job> jobs, boolean fromSecond) {
        return jobs.stream()
                .filter(job -> job.fromSecond() == fromSecond && job.verb().takesReceive())
                .mapToInt(Job::times)
                .sum();
    }

    /** None where no message goes. */
    private int receives(End end) {
        return end.expected == 0 ? 0 : line.receives().orElse(end.expected);
    }

    private <Q extends QueuePair> QpBuilder<Q> sharing(QpBuilder<Q> builder) {
        return shared == null ? builder : builder.srq(shared);
    }

    private Ports connect() {
        return switch (line.transport()) {
            case RC ->
                new Ports.Rc(world.await(RcPair.connect(
                        first.with(first.domain.rc()), sharing(second.with(second.domain.rc())), line.terms())));
            case UC -> {
                UcConnection terms = new UcConnection(
                        line.terms().mtu(),
                        line.terms().remoteAccess(),
                        line.terms().sendPsn(),
                        line.terms().receivePsn());
                yield new Ports.Uc(world.await(
                        UcPair.connect(first.with(first.domain.uc()), second.with(second.domain.uc()), terms)));
            }
            case UD -> {
                UdQueuePair one = world.await(first.with(first.domain.ud()).create());
                UdQueuePair other =
                        world.await(sharing(second.with(second.domain.ud())).create());
                world.await(one.activate(QKEY));
                world.await(other.activate(QKEY));
                yield new Ports.Ud(one, other, address(second, first, one), address(first, second, other));
            }
        };
    }

    private UdAddress address(End from, End to, UdQueuePair qp) {
        return UdAddress.of(
                world.await(from.domain.createAddressHandle(AddressVector.to(to.adapter.gid()))), qp.number(), QKEY);
    }

    /** Posts what messages need, at both ends. */
    void postReceives() {
        for (int i = 0; i < receives(first); i++) {
            receiver(true).postReceive(Receive.of(i, first.slice(receivesAt, receiveBytes())));
        }
        for (int i = 0; i < receives(second); i++) {
            Receive receive = Receive.of(i, second.slice(receivesAt, receiveBytes()));
            if (shared != null) {
                shared.postReceive(receive);
            } else {
                receiver(false).postReceive(receive);
            }
        }
        if (shared != null && line.limit() > 0) {
            world.await(shared.armLimit(line.limit()));
        }
    }

    /** Datagrams need room for the address before them. */
    private long receiveBytes() {
        return line.receiveBytes() + (line.transport() == Scenario.Transport.UD ? UdQueuePair.GRH_BYTES : 0);
    }

    private QueuePair receiver(boolean atFirst) {
        return switch (ports) {
            case Ports.Rc rc -> atFirst ? rc.pair.local() : rc.pair.remote();
            case Ports.Uc uc -> atFirst ? uc.pair.local() : uc.pair.remote();
            case Ports.Ud ud -> atFirst ? ud.one : ud.other;
        };
    }

    /** One request of a job. */
    CompletionStage<WorkCompletion> submit(Job job, long id) {
        boolean back = job.fromSecond();
        End from = back ? second : first;
        End to = back ? first : second;
        RemoteAddress remote = new RemoteAddress(
                job.rkey().orElse(to.region.rkey()),
                to.region.remote(job.offset()).address());
        LocalSlice local = from.slice(job.offset(), job.bytes());
        return switch (ports) {
            case Ports.Rc rc -> submit(back ? rc.pair.remote() : rc.pair.local(), job, id, local, remote);
            case Ports.Uc uc -> submit(back ? uc.pair.remote() : uc.pair.local(), job, id, local, remote);
            case Ports.Ud ud -> (back ? ud.other : ud.one).submit(back ? ud.toOne : ud.toOther, Send.of(id, local));
        };
    }

    private static CompletionStage<WorkCompletion> submit(
            RcQueuePair qp, Job job, long id, LocalSlice local, RemoteAddress remote) {
        return switch (job.verb()) {
            case WRITE -> qp.submit(RdmaWrite.of(id, local, remote));
            case WRITE_WITH_IMMEDIATE ->
                qp.submit(RdmaWrite.of(id, local, remote).withImmediate(IMMEDIATE));
            case READ -> qp.submit(RdmaRead.of(id, local, remote));
            case SEND -> qp.submit(Send.of(id, local));
            case FETCH_ADD -> qp.submit(FetchAdd.of(id, local, remote, 1));
            case COMPARE_SWAP -> qp.submit(CompareAndSwap.of(id, local, remote, id, id + 1));
        };
    }

    private static CompletionStage<WorkCompletion> submit(
            UcQueuePair qp, Job job, long id, LocalSlice local, RemoteAddress remote) {
        return switch (job.verb()) {
            case WRITE -> qp.submit(RdmaWrite.of(id, local, remote));
            case WRITE_WITH_IMMEDIATE ->
                qp.submit(RdmaWrite.of(id, local, remote).withImmediate(IMMEDIATE));
            case SEND -> qp.submit(Send.of(id, local));
            case READ, FETCH_ADD, COMPARE_SWAP -> throw new IllegalStateException("UC carries no " + job.verb());
        };
    }

    /** Both ends hold the same where that job has copied. */
    boolean isCopied(Job job) {
        int count = (int) job.bytes();
        return java.util.Arrays.equals(first.memory.read(job.offset(), count), second.memory.read(job.offset(), count));
    }
}
