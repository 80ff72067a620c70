// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.hcaactors.actors.window.WindowBlueprint;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.state.QueuePairKinds;
import org.hcaactors.adapter.state.QueuePairMachine;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpEffects;
import org.hcaactors.adapter.work.QpObserver;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair without an adapter: keys are granted immediately, packets are returned to the caller, and the caller sets the
 * time. Runs the machines with captured traffic. Not thread-safe.
 */
final class StandaloneQueuePair {
    private static final int DOMAIN = 1;
    private static final int BUDGET = 64;

    /** Key of the regions behind windows, which no request uses. */
    private static final int HIDDEN = 0x100;

    private final QueuePairMachine machine;
    private final Desk desk = new Desk();
    private final Map<Integer, Lease> keys = new LinkedHashMap<>();
    private final Map<Integer, TranslatedKey> windows = new LinkedHashMap<>();
    private final Profile profile;
    private final KeyUser user;
    private long grants;
    private long now;
    private final Turn turn = new Turn(() -> now, desk, QpObserver.NONE);

    /**
     * @param number 24 bits
     * @param address of its port
     * @param queueLength capacity of its queues
     */
    public StandaloneQueuePair(QpType type, int number, PortAddress address, Profile profile, int queueLength) {
        this.profile = profile;
        user = new KeyUser(DOMAIN, number);
        LocalPort port = new LocalPort(PortAttributes.of(PortCapabilities.NONE
                        .withMaxMtu(PathMtu.BYTES_4096)
                        .withGidTableLength(4)
                        .withPkeyTableLength(4))
                .withGidTable(List.of(new Gid(address.high(), address.low())))
                .withPkeyTable(List.of(0xFFFF)));
        int entries = Integer.highestOneBit(Math.max(2, queueLength) - 1) * 2;
        QpCapacity capacity = QpCapacity.of(entries).withMaxSge(16).withMaxInlineBytes(0);
        QpPlan plan = new QpPlan(
                QueuePairKinds.of(type),
                user,
                ReceiveSource.OWN,
                capacity,
                QpDescription.rc().withSignalAll().options(),
                port,
                profile,
                new AtomicUnit(profile.atomics(), ByteOrder.nativeOrder()));
        machine = new QueuePairMachine(plan, UnaryOperator.identity());
    }

    /** Registers a key for the whole memory. */
    public void register(int key, MappedMemory memory, AccessFlags rights) {
        forget(key);
        keys.put(
                key,
                new Region(key, DOMAIN, memory.address(), memory.lengthBytes(), rights, memory)
                        .lease(++grants, released -> {}, List.of()));
    }

    /** Registers a key as that of a window of type 2, bound on this queue pair to the whole memory. */
    public void bind(int key, MappedMemory memory, AccessFlags rights) {
        forget(key);
        Lease region = new Region(
                        HIDDEN,
                        DOMAIN,
                        memory.address(),
                        memory.lengthBytes(),
                        AccessFlags.of(Access.LOCAL_WRITE),
                        memory)
                .lease(++grants, released -> {}, List.of());
        KeyChange bind =
                new KeyChange.Bind(key, key, HIDDEN, memory.address(), memory.lengthBytes(), rights, false, user);
        become(
                key,
                WindowBlueprint.of(WindowType.TYPE_2, "", DOMAIN, profile).translatedKey(key),
                bind,
                List.of(region));
    }

    /** Returns why the change is refused; empty if it is made. */
    private Optional<Denial> become(int key, TranslatedKey now, KeyChange change, List<Lease> parts) {
        return switch (now.apply(change)) {
            case TranslatedKey.ChangeResult.Refused refused -> Optional.of(refused.reason());
            case TranslatedKey.ChangeResult.Becomes becomes -> {
                forget(key);
                windows.put(key, becomes.next());
                if (becomes.next().denial().isEmpty()) {
                    keys.put(key, becomes.next().lease(++grants, released -> {}, parts));
                }
                yield Optional.empty();
            }
        };
    }

    private Optional<Denial> invalidate(int key) {
        TranslatedKey window = windows.get(key);
        return window == null
                ? Optional.of(new Denial.Unregistered())
                : become(key, window, new KeyChange.Invalidate(key, true, user), List.of());
    }

    /** Deregisters the key. */
    public void forget(int key) {
        windows.remove(key);
        Lease before = keys.remove(key);
        if (before != null) {
            machine.leaseRevoked(before.grant(), turn);
        }
    }

    public void modify(QpModify change) {
        machine.modify(change, turn);
    }

    public QpSnapshot state() {
        return machine.snapshot();
    }

    public void postReceive(Receive receive) {
        machine.postReceive(receive, turn);
    }

    /** Posts a request; every request is signaled. */
    public List<Packet> post(WorkRequest work) {
        machine.postSend(
                new PostedRequest(work, PostedRequest.kindOf(work), work.lengthBytes(), PostedRequest.Extras.NONE),
                turn);
        return proceed();
    }

    /** Delivers a packet; returns the packets sent in response. */
    public List<Packet> deliver(Packet packet, long nanos) {
        now = Math.max(now, nanos);
        turn.begin();
        machine.receive(packet, turn);
        return proceed();
    }

    /** True if a timer runs. */
    public boolean waits() {
        return machine.nextDeadline() != Long.MAX_VALUE;
    }

    /** Lets the timer expire; returns the packets sent in response. */
    public List<Packet> timeout() {
        if (waits()) {
            now = Math.max(now, machine.nextDeadline());
            turn.begin();
            machine.timeout(turn);
        }
        return proceed();
    }

    /** Returns a view of its send completions, oldest first. */
    public List<WorkCompletion> sendCompletions() {
        return Collections.unmodifiableList(desk.sends);
    }

    /** Returns a view of its receive completions, oldest first. */
    public List<WorkCompletion> receiveCompletions() {
        return Collections.unmodifiableList(desk.receives);
    }

    private List<Packet> proceed() {
        List<Packet> sent = new ArrayList<>();
        boolean moved = true;
        while (moved) {
            moved = machine.transmit(BUDGET, turn) > 0;
            while (!desk.requestedLeases.isEmpty()) {
                answer(desk.requestedLeases.remove());
                moved = true;
            }
            while (!desk.changes.isEmpty()) {
                desk.changes.remove().accept(machine);
                moved = true;
            }
            sent.addAll(desk.sent);
            desk.sent.clear();
        }
        machine.endTurn();
        return sent;
    }

    private void answer(int key) {
        Lease lease = keys.get(key);
        if (lease == null) {
            machine.leaseRefused(key, new Denial.Unregistered(), turn);
        } else {
            machine.leaseGranted(lease, turn);
        }
    }

    /** Recorder of the effects that the machine requests. */
    private final class Desk implements QpEffects {
        final List<Packet> sent = new ArrayList<>();
        final ArrayDeque<Integer> requestedLeases = new ArrayDeque<>();
        final ArrayDeque<Consumer<QueuePairMachine>> changes = new ArrayDeque<>();
        final List<WorkCompletion> sends = new ArrayList<>();
        final List<WorkCompletion> receives = new ArrayList<>();

        @Override
        public void send(Packet packet, long cause, long again) {
            sent.add(packet);
        }

        @Override
        public void completedSend(
                WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData) {
            sends.add(completion);
        }

        @Override
        public void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
            receives.add(completion);
        }

        @Override
        public void requestLease(int key) {
            requestedLeases.add(key);
        }

        @Override
        public void changeKey(PostedRequest request, long ticket) {
            changes.add(machine -> machine.keyChanged(ticket, Optional.of(new Denial.Unregistered()), turn));
        }

        @Override
        public void invalidate(long cause, KeyUser by, int key, long ticket) {
            changes.add(machine -> machine.invalidated(ticket, StandaloneQueuePair.this.invalidate(key), turn));
        }

        @Override
        public void requestPages(PageFault fault, long ticket) {
            changes.add(machine -> machine.pagesServed(fault.kind(), ticket, Optional.empty(), turn));
        }

        @Override
        public boolean packetsAreKept() {
            return true;
        }

        @Override
        public void droppedSend(PostedRequest posted) {}

        @Override
        public void releaseLease(Lease lease) {}

        @Override
        public void raise(long cause, AsyncEvent.Kind kind, Reason reason) {}

        @Override
        public void count(Counter counter) {}

        @Override
        public void entered(QpState state) {}
    }
}
