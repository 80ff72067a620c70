// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

// rules dc-streams, dc-stream-error, memory-key-work
/**
 * A DC initiator that sends from several entries of its port's GID table, on streams or without; each stream recovers
 * separately. Each stream also has a window that is bound and invalidated in turn: either operation would be refused if it were
 * executed twice.
 */
final class GidInitiator {
    /** Maximum requests in its send queue, which all streams share. */
    private static final int MAX_UNDER_WAY = 32;

    private static final int RESULTS = 64;

    private final SweepContext sweep;
    private final World world;
    private final RcConnection attributes;
    private final Side side;
    private final MemoryRegion bindable;
    private final DcInitiator initiator;
    private final List<Stream> streams;
    private final Map<GlobalRoute, AddressHandle> paths = new LinkedHashMap<>();

    /** State of one stream since its last recovery. */
    private final class Stream {
        final int number;
        QueuePairLife life = sweep.promises().life("sources");
        Optional<MemoryWindow> window = Optional.empty();
        boolean bound;

        Stream(int number) {
            this.number = number;
        }

        boolean hasFailed() {
            return life.requests().stream().anyMatch(QueuePairLife.Request::hasFailed);
        }

        boolean hasEnded() {
            return life.requests().stream().allMatch(QueuePairLife.Request::hasEnded);
        }

        /** Begins again after an error, with another window: a flushed bind or invalidation may have been executed. */
        void restart() {
            life = sweep.promises().life("sources");
            window.ifPresent(old -> sweep.promises().verb("sources: free", old.deallocate()));
            window = Optional.empty();
        }
    }

    /**
     * Creates the initiator.
     *
     * @param requested empty: all requests are on one stream
     */
    GidInitiator(
            SweepContext sweep, Adapter node, String name, Optional<DcStreams> requested, RcConnection attributes) {
        this.sweep = sweep;
        this.attributes = attributes;
        world = sweep.world();
        side = Side.of(world.network(), node, name, RESULTS * Long.BYTES);
        bindable = world.await(
                side.domain().register(Registration.of(side.memory()).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        initiator = world.await(side.domain()
                .createQp(requested.map(QpDescription.dc()::withStreams).orElseGet(QpDescription::dc)));
        world.await(initiator.open(attributes));
        int max = requested.map(some -> 2 * some.channels()).orElse(1);
        streams = IntStream.range(0, max).mapToObj(Stream::new).toList();
    }

    /** Creates the path to a target from a source, while that GID table entry exists. */
    void mayAsk(DcTargetProcess to, int source) {
        AddressVector way = AddressVector.to(way(to, source));
        paths.put(way(to, source), world.await(side.domain().createAddressHandle(way)));
    }

    private static GlobalRoute way(DcTargetProcess to, int source) {
        return GlobalRoute.to(to.at).withSourceGidIndex(source);
    }

    int streams() {
        return streams.size();
    }

    private boolean isFull() {
        return streams.stream()
                        .flatMap(stream -> stream.life.requests().stream())
                        .filter(request -> !request.hasEnded())
                        .count()
                >= MAX_UNDER_WAY;
    }

    boolean hasEnded() {
        return streams.stream().allMatch(Stream::hasEnded);
    }

    /** Adds one to the target's word. */
    void add(int id, int on, DcTargetProcess to, int source, Runnable check, Set<Status> mayFail) {
        FetchAdd add = FetchAdd.of(id, side.slice((long) (id % RESULTS) * Long.BYTES, Long.BYTES), to.remoteWord(), 1);
        submit(streams.get(on), to, source, DcTargetProcess.KEY, "FETCH_ADD " + id, add, check, mayFail);
    }

    /** Posts the same with a wrong access key. */
    void trespass(int id, int on, DcTargetProcess to, int source) {
        FetchAdd add = FetchAdd.of(id, side.slice(0, Long.BYTES), to.remoteWord(), 1);
        submit(
                streams.get(on),
                to,
                source,
                DcTargetProcess.KEY + 1,
                "TRESPASS " + id,
                add,
                () -> {
                    throw new AssertionError("a request with a wrong access key succeeded");
                },
                EnumSet.of(Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR));
    }

    /** Binds the stream's window, or invalidates it. The request sends nothing to the target. */
    void change(int id, int on, DcTargetProcess to, int source) {
        Stream stream = streams.get(on);
        if (isFull() || stream.hasFailed()) {
            return;
        }
        MemoryWindow window = stream.window.orElseGet(() -> allocated(stream));
        RcWork work = stream.bound
                ? LocalInvalidate.of(id, window.rkey())
                : BindWindow.of(id, window, WindowBinding.of(bindable).withAccess(Access.REMOTE_WRITE));
        stream.bound = !stream.bound;
        submit(
                stream,
                to,
                source,
                DcTargetProcess.KEY,
                work.getClass().getSimpleName() + " " + id,
                work,
                () -> {},
                Set.of());
    }

    private MemoryWindow allocated(Stream stream) {
        MemoryWindow made = world.await(side.domain().allocateWindow(WindowType.TYPE_2));
        stream.window = Optional.of(made);
        stream.bound = false;
        return made;
    }

    private void submit(
            Stream on,
            DcTargetProcess to,
            int source,
            long key,
            String what,
            RcWork work,
            Runnable check,
            Set<Status> mayFail) {
        if (isFull()) {
            return;
        }
        AddressHandle path = Objects.requireNonNull(paths.get(way(to, source)));
        CompletionStage<WorkCompletion> stage =
                initiator.submit(DcAddress.of(path, to.number(), DcAccessKey.of(key)), on.number, work);
        on.life.add(what + " on stream " + on.number, stage, check, mayFail);
    }

    /** Recovers the streams whose requests have failed and all completed. */
    void recover() {
        if (initiator.streams().isEmpty()) {
            Stream only = streams.getFirst();
            if (only.hasFailed() && only.hasEnded()) {
                world.await(
                        initiator.modify(QpModify.to(QpState.RESET)).thenCompose(done -> initiator.open(attributes)));
                only.restart();
            }
            return;
        }
        for (Stream stream : streams) {
            if (stream.hasFailed() && stream.hasEnded()) {
                world.await(initiator.resetStream(stream.number));
                stream.restart();
            }
        }
    }
}
