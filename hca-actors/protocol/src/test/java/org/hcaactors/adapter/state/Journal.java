// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpEffects;
import org.hcaactors.adapter.work.QpObserver;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/** Log of all effects and observations of one machine, each with its cause, shared with its peer. */
final class Journal implements QpEffects, QpObserver {
    final Side side;
    final Turn turn = new Turn(this::time, this, this);
    final List<Packet> out = new ArrayList<>();
    final Deque<Integer> asked = new ArrayDeque<>();
    final Deque<Long> changes = new ArrayDeque<>();
    final Deque<Long> invalidations = new ArrayDeque<>();
    final Map<Long, PageFault> faults = new LinkedHashMap<>();
    final List<Lease> held = new ArrayList<>();
    private final List<String> book;
    /** Maximum number of receives on its own queue. */
    int receives;

    boolean keepsPackets;
    long now;

    Journal(Side side, List<String> book) {
        this.side = side;
        this.book = book;
        side.sources.log = this::write;
    }

    /** Writes an entry; returns its number, as an event's number. */
    long write(Object... what) {
        StringBuilder line = new StringBuilder(side.name);
        for (Object each : what) {
            line.append(' ').append(each);
        }
        book.add(line.toString());
        return book.size();
    }

    private long time() {
        write("reads the time");
        return now;
    }

    static String described(Packet packet) {
        return packet.bth() + " " + packet.extended() + " " + hex(packet.payload());
    }

    private static String hex(Octets bytes) {
        return bytes.length() + ":" + Integer.toHexString(bytes.crc32());
    }

    private static String carried(@Nullable InlineData inlineData) {
        return inlineData == null ? "" : "carrying " + hex(inlineData.bytes());
    }

    @Override
    public void send(Packet packet, long cause, long again) {
        out.add(packet);
        write("sends", cause, again, described(packet));
    }

    @Override
    public void completedSend(
            WorkCompletion completion, PostedRequest posted, int slots, @Nullable InlineData inlineData) {
        write("completes", completion, posted.work().id(), slots, carried(inlineData));
    }

    @Override
    public void completedReceive(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
        receives--;
        write("completes", completion, solicited, carried(inlineData));
    }

    @Override
    public void droppedSend(PostedRequest posted) {
        write("drops", posted.work().id());
    }

    @Override
    public void requestLease(int key) {
        write("asks for", key);
        asked.add(key);
    }

    @Override
    public void changeKey(PostedRequest request, long ticket) {
        write("changes a key by", request.work().id(), ticket);
        changes.add(ticket);
    }

    @Override
    public void invalidate(long cause, KeyUser by, int key, long ticket) {
        write("invalidates", cause, by, key, ticket);
        invalidations.add(ticket);
    }

    @Override
    public void requestPages(PageFault fault, long ticket) {
        write("brings in", fault.kind(), fault.absence().from(), fault.absence().count(), ticket);
        faults.put(ticket, fault);
    }

    @Override
    public boolean packetsAreKept() {
        return keepsPackets;
    }

    @Override
    public void releaseLease(Lease lease) {
        write("gives back the lease", lease.key());
        held.remove(lease);
    }

    @Override
    public void raise(long cause, AsyncEvent.Kind kind, Reason reason) {
        write("raises", cause, kind, reason);
    }

    @Override
    public void count(Counter counter) {
        write("counts", counter);
    }

    @Override
    public void entered(QpState state) {
        receives = state == QpState.RESET ? 0 : receives;
        write("enters", state);
    }

    @Override
    public long failed(long cause, Reason reason) {
        return write("fails", cause, reason);
    }

    @Override
    public long gaveUp(long cause, int psn, Reason reason) {
        return write("gives up", cause, psn, reason);
    }

    @Override
    public long stateChanged(long cause, QpState from, QpState to, Reason reason) {
        return write("changes", cause, from, to, reason);
    }

    @Override
    public long retransmitting(long cause, int psn, Reason reason) {
        return write("goes back", cause, psn, reason);
    }

    @Override
    public long backingOff(long cause, int psn, long nanos) {
        return write("waits", cause, psn, nanos);
    }

    @Override
    public long session(long cause, SessionStep step, PortAddress at, int peer, int session) {
        return write("session", cause, step, peer, session);
    }

    @Override
    public void discarded(long cause, Packet packet, Reason reason) {
        write("ignores", cause, described(packet), reason);
    }

    @Override
    public void memoryRead(long cause, int key, long address, int lengthBytes, boolean remote) {
        write("reads", cause, key, address, lengthBytes, remote);
    }

    @Override
    public void memoryWritten(long cause, int key, long address, Octets bytes, int from, int count, boolean remote) {
        write("writes", cause, key, address, hex(bytes.slice(from, count)), remote);
    }

    @Override
    public long carried(long cause, long workId, Octets bytes) {
        return write("carries", cause, workId, hex(bytes));
    }

    @Override
    public void atomicExecuted(long cause, int key, long address, AtomicValue before, AtomicValue after) {
        write("executes", cause, key, address, before.toLong(), after.toLong());
    }

    @Override
    public void leaseReleased(long cause, Lease lease) {
        write("gives back", cause, lease.key());
    }

    @Override
    public void completedSend(long cause, WorkCompletion completion, PostedRequest posted) {
        write("completed", cause, completion.workId());
    }

    @Override
    public void completedReceive(long cause, WorkCompletion completion) {
        write("completed", cause, completion.workId());
    }

    @Override
    public void completedNamed(long cause, int queue, WorkCompletion completion) {
        write("completed", cause, queue, completion.workId());
    }

    @Override
    public void requestDropped(PostedRequest posted) {
        write("dropped", posted.work().id());
    }
}
