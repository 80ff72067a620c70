// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpEffects;
import org.hcaactors.adapter.work.QpObserver;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/** One machine in a rig without actors; it records its effects. */
public final class Side implements QpEffects, QpObserver {
    public static final int KEY = 0x100_00;
    public static final int SRQ = 1;
    public static final int SRQ_DOMAIN = 2;
    /** Base of the numbers of failure events: each is lower by the number of failures so far. */
    public static final long FAILED = -1000;
    /** Base of the numbers of events of waiting, and of retransmission. */
    public static final long WAITED = -2000;

    public static final long WENT_BACK = -3000;
    /** Base of the numbers of events of inline data. */
    public static final long CARRIED = -4000;

    public static final int MEMORY = 1 << 16;

    public final String name;
    public final int number;
    public final PortAddress port;
    public final LocalPort local;
    public final QueuePairMachine machine;
    public final MappedMemory memory = new ModelledSpace().allocate(MEMORY);
    public final Map<Integer, Lease> keys = new java.util.TreeMap<>();

    public final Deque<Packet> out = new ArrayDeque<>();
    public final List<WorkCompletion> sends = new ArrayList<>();
    public final List<WorkCompletion> receives = new ArrayList<>();
    public final List<AsyncEvent.Kind> events = new ArrayList<>();
    public final List<Long> dropped = new ArrayList<>();
    public final List<String> discarded = new ArrayList<>();
    public final List<String> retransmissions = new ArrayList<>();
    /** What it could not do, and why. */
    public final List<String> failures = new ArrayList<>();

    public final List<QpState> states = new ArrayList<>();
    /** For each state change, the causing event. */
    public final List<Long> statesBecause = new ArrayList<>();

    public final List<String> waits = new ArrayList<>();
    /** Steps of its sessions. */
    public final List<SessionStep> steps = new ArrayList<>();

    public final List<Integer> gaveUpAt = new ArrayList<>();
    public final List<Packet> sentAgain = new ArrayList<>();
    /** Reported accesses to memory. */
    public final List<String> touched = new ArrayList<>();
    /** For each read, the causing event. */
    public final List<Long> touchedBecause = new ArrayList<>();

    public final List<Lease> released = new ArrayList<>();
    public final Deque<Integer> asked = new ArrayDeque<>();
    /** Tickets of the key changes that its requests require. */
    public final Deque<Long> changes = new ArrayDeque<>();

    /** Users of the invalidations for its peer's messages. */
    public final List<KeyUser> invalidatedBy = new ArrayList<>();

    public final Deque<Long> invalidations = new ArrayDeque<>();

    /** Pages requested, by ticket. */
    public final Map<Long, PageFault> faults = new LinkedHashMap<>();

    public final Map<Counter, Integer> counters = new EnumMap<>(Counter.class);
    public final ListedSources sources;
    public final List<Boolean> solicited = new ArrayList<>();
    /** Inline data of its completions. */
    public final List<InlineData> inlineData = new ArrayList<>();

    public boolean keepsPackets = true;
    /** Runs when a request is dropped, as its program does. */
    public Runnable whenDropped = () -> {};
    /** Its packets may refer to its memory. */
    public boolean lends;
    /** Turn of its machine; {@link #at} sets the time. */
    public final Turn turn = new Turn(this::time, this, this);

    private long now;
    public int timesRead;

    public int slotsFreed;

    public Side(String name, int number, int host, Profile profile, boolean signalAll) {
        this(name, number, host, QpType.RC, false, profile, signalAll);
    }

    public Side(
            String name, int number, int host, QpType transport, boolean shared, Profile profile, boolean signalAll) {
        this(name, number, host, transport, shared, profile, signalAll, QpCapacity.DEFAULT);
    }

    public Side(
            String name,
            int number,
            int host,
            QpType transport,
            boolean shared,
            Profile profile,
            boolean signalAll,
            QpCapacity capacity) {
        this(
                name,
                number,
                host,
                transport,
                shared,
                profile,
                capacity,
                signalAll ? QpDescription.rc().withSignalAll().options() : QpDescription.Options.DEFAULT,
                Optional.empty());
    }

    /** @param session the session that it serves, if it is a responder */
    public Side(
            String name,
            int number,
            int host,
            QpType transport,
            boolean shared,
            Profile profile,
            QpCapacity capacity,
            QpDescription.Options options,
            Optional<QpPlan.Session> session) {
        this(name, number, host, transport, shared, profile, capacity, options, session, true);
    }

    /** @param runs whether its machine uses the fast path */
    Side(
            String name,
            int number,
            int host,
            QpType transport,
            boolean shared,
            Profile profile,
            QpCapacity capacity,
            QpDescription.Options options,
            Optional<QpPlan.Session> session,
            boolean runs) {
        this(name, number, host, transport, new ListedSources(), shared, profile, capacity, options, session, runs);
    }

    private Side(
            String name,
            int number,
            int host,
            QpType transport,
            ListedSources sources,
            boolean shared,
            Profile profile,
            QpCapacity capacity,
            QpDescription.Options options,
            Optional<QpPlan.Session> session,
            boolean runs) {
        this(
                name,
                number,
                host,
                transport,
                sources,
                receives(transport, shared, sources),
                profile,
                capacity,
                options,
                session,
                runs);
    }

    private Side(
            String name,
            int number,
            int host,
            QpType transport,
            ListedSources sources,
            ReceiveSource receives,
            Profile profile,
            QpCapacity capacity,
            QpDescription.Options options,
            Optional<QpPlan.Session> session,
            boolean runs) {
        this.name = name;
        this.number = number;
        this.sources = sources;
        port = PortAddress.ofIpv4(0x0A00_0000 | host);
        local = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                        .withMaxMtu(PathMtu.BYTES_4096)
                        .withGidTableLength(4)
                        .withPkeyTableLength(4))
                .withGidTable(List.of(new Gid(port.high(), port.low())))
                .withPkeyTable(List.of(0xFFFF)));
        QpPlan plan = new QpPlan(
                QueuePairKinds.of(transport),
                new KeyUser(1, number),
                receives,
                capacity,
                options,
                local,
                profile,
                new AtomicUnit(profile.atomics(), ByteOrder.nativeOrder()),
                session);
        machine = new QueuePairMachine(plan, UnaryOperator.identity(), runs);
        grant(KEY, 1, 0, MEMORY, AccessFlags.LOCAL_AND_REMOTE);
    }

    /** Returns an RC queue pair with the receives of a tag-matching queue. */
    static Side tagged(String name, int number, int host) {
        ListedSources sources = new ListedSources();
        return new Side(
                name,
                number,
                host,
                QpType.RC,
                sources,
                sources.tags(),
                Profile.CONNECTX_5,
                QpCapacity.DEFAULT,
                QpDescription.Options.DEFAULT,
                Optional.empty(),
                true);
    }

    private static ReceiveSource receives(QpType transport, boolean shared, ListedSources sources) {
        if (transport == QpType.XRC_TGT) {
            return sources.xrc();
        }
        return shared ? sources.shared() : ReceiveSource.OWN;
    }

    Gid gid() {
        return new Gid(port.high(), port.low());
    }

    /** Makes a shared receive queue of that number available to peers. */
    public void offers(int queue, int domain) {
        sources.namedDomains.put(queue, domain);
        sources.named.put(queue, new ArrayDeque<>());
        sources.namedCompletions.put(queue, new ArrayList<>());
    }

    /** Registers a key for a part of the memory. */
    public void grant(int key, int domain, long offset, long length, AccessFlags rights) {
        Region region = new Region(key, domain, memory.address() + offset, length, rights, memory);
        keys.put(key, region.lease(key, grant -> {}, List.of()));
    }

    public void grant(int key, Access... rights) {
        grant(key, 1, 0, MEMORY, AccessFlags.of(rights));
    }

    public Lease lease(int key) {
        return Objects.requireNonNull(keys.get(key));
    }

    public LocalSlice slice(long offset, int length) {
        return new LocalSlice(KEY, memory.address() + offset, length);
    }

    public LocalSlice slice(int key, long offset, int length) {
        return new LocalSlice(key, memory.address() + offset, length);
    }

    public RemoteAddress remote(long offset) {
        return new RemoteAddress(KEY, memory.address() + offset);
    }

    public void post(WorkRequest work) {
        post(work, null);
    }

    public void post(WorkRequest work, @Nullable Destination to) {
        CompletionKind kind = PostedRequest.kindOf(work);
        machine.postSend(
                new PostedRequest(work, kind, work.lengthBytes(), PostedRequest.Extras.of(null, null, to, 0)), turn);
    }

    public void postReceive(Receive receive) {
        machine.postReceive(receive, turn);
    }

    /** Returns its turn, at that time. */
    public Turn at(long nanos) {
        now = nanos;
        long input = turn.input();
        long cause = turn.because(0);
        turn.begin();
        turn.handles(input);
        turn.because(cause);
        return turn;
    }

    private long time() {
        timesRead++;
        return now;
    }

    /** True if no request is on its queue. */
    public boolean hasNothingToSend() {
        return snapshot().waiting() + snapshot().started() == 0;
    }

    /** Returns the event that caused its current action. */
    public long cause() {
        long cause = turn.because(0);
        turn.because(cause);
        return cause;
    }

    public int counted(Counter counter) {
        return counters.getOrDefault(counter, 0);
    }

    /** Returns what it holds and waits for; it has no completion queue here. */
    public ResourceSnapshot.QueuePair snapshot() {
        return machine.report()
                .snapshot(name, 0, 0, new ResourceSnapshot.Slots(0, 0), new ResourceSnapshot.Queues(0, 0));
    }

    public List<Status> sendStatuses() {
        return sends.stream().map(WorkCompletion::status).toList();
    }

    public List<Status> receiveStatuses() {
        return receives.stream().map(WorkCompletion::status).toList();
    }

    @Override
    public void send(Packet packet, long cause, long again) {
        if (again != 0) {
            sentAgain.add(packet);
        }
        out.add(packet);
    }

    @Override
    public long failed(long cause, Reason reason) {
        failures.add(ReasonTexts.of(reason));
        return FAILED - failures.size();
    }

    @Override
    public long gaveUp(long cause, int psn, Reason reason) {
        gaveUpAt.add(psn);
        failures.add(ReasonTexts.of(reason));
        return cause;
    }

    @Override
    public long backingOff(long cause, int psn, long nanos) {
        waits.add(psn + " for " + nanos);
        return WAITED - waits.size();
    }

    @Override
    public void completedSend(
            WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData carried) {
        sends.add(completion);
        slotsFreed += slots;
        if (carried != null) {
            inlineData.add(carried);
        }
    }

    @Override
    public void completedReceive(WorkCompletion completion, boolean isSolicited, @Nullable InlineData carried) {
        receives.add(completion);
        solicited.add(isSolicited);
        if (carried != null) {
            inlineData.add(carried);
        }
    }

    @Override
    public void droppedSend(PostedRequest posted) {
        dropped.add(posted.work().id());
        whenDropped.run();
    }

    @Override
    public void changeKey(PostedRequest request, long ticket) {
        changes.add(ticket);
    }

    @Override
    public void invalidate(long cause, KeyUser by, int key, long ticket) {
        invalidatedBy.add(by);
        invalidations.add(ticket);
    }

    /** The rig keeps every packet sent, as a trace does. */
    @Override
    public void requestPages(PageFault fault, long ticket) {
        faults.put(ticket, fault);
    }

    @Override
    public boolean packetsAreKept() {
        return keepsPackets;
    }

    @Override
    public boolean mayLend() {
        return lends;
    }

    @Override
    public void requestLease(int key) {
        asked.add(key);
    }

    @Override
    public void releaseLease(Lease lease) {
        released.add(lease);
    }

    @Override
    public void memoryRead(long cause, int key, long address, int lengthBytes, boolean remote) {
        touched.add("read %d bytes at %d%s".formatted(lengthBytes, address - memory.address(), from(remote)));
        touchedBecause.add(cause);
    }

    @Override
    public void memoryWritten(long cause, int key, long address, Octets bytes, int from, int count, boolean remote) {
        touched.add("wrote %d bytes at %d%s".formatted(count, address - memory.address(), from(remote)));
    }

    @Override
    public void atomicExecuted(long cause, int key, long address, AtomicValue before, AtomicValue after) {
        touched.add("%d became %d at %d".formatted(before.toLong(), after.toLong(), address - memory.address()));
    }

    @Override
    public long carried(long cause, long workId, Octets bytes) {
        touched.add("put %d bytes into the completion of %d".formatted(bytes.length(), workId));
        return CARRIED - touched.size();
    }

    private static String from(boolean remote) {
        return remote ? " for the peer" : "";
    }

    @Override
    public void raise(long cause, AsyncEvent.Kind kind, Reason reason) {
        events.add(kind);
    }

    @Override
    public void count(Counter counter) {
        counters.merge(counter, 1, Integer::sum);
    }

    @Override
    public void entered(QpState state) {
        states.add(state);
    }

    @Override
    public long stateChanged(long cause, QpState from, QpState to, Reason reason) {
        statesBecause.add(cause);
        return cause;
    }

    @Override
    public long session(long cause, SessionStep step, PortAddress at, int peer, int session) {
        steps.add(step);
        return cause;
    }

    @Override
    public long retransmitting(long cause, int psn, Reason reason) {
        retransmissions.add(ReasonTexts.of(reason));
        return WENT_BACK - retransmissions.size();
    }

    @Override
    public void discarded(long cause, Packet packet, Reason reason) {
        discarded.add(ReasonTexts.of(reason));
    }
}
