// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.hcaactors.adapter.atomic.AtomicOperands;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * One direction of a random RC conversation, with its expected result: each request is executed on plain arrays, without
 * packets, losses or time. Each area of a side's memory belongs to one direction, and memory that a READ reads never changes,
 * so that the result does not depend on the time of the response.
 */
final class RcScript {
    static final int SOURCE_BYTES = 8 << 10;
    private static final int TARGET = 8 << 10;
    private static final int TARGET_BYTES = 16 << 10;
    private static final int READ_INTO = 24 << 10;
    private static final int READ_INTO_BYTES = 16 << 10;
    private static final int WORDS = 40 << 10;
    private static final int RESULTS = 41 << 10;
    private static final int RECEIVES = 44 << 10;
    private static final int RECEIVE_BYTES = 2048;
    private static final int GAP = 16;
    private static final int KEYS = 3;

    /** The content of one PSN: a request packet, or a part of the response to a READ. */
    private record Part(int message, int offset, byte[] bytes, boolean starts, boolean ends) {}

    /** @param original the word before an atomic */
    record Message(PostedRequest posted, int firstPart, long original) {}

    final Side from;
    final Side to;
    final List<Message> messages = new ArrayList<>();
    final List<Receive> receives = new ArrayList<>();
    final List<WorkCompletion> sends = new ArrayList<>();
    final List<WorkCompletion> received = new ArrayList<>();
    final List<Boolean> solicited = new ArrayList<>();

    private final SplittableRandom random;
    private final int firstPsn;
    private final int mtu;
    private final int longest;
    private final byte[] fromMemory;
    private final byte[] toMemory;
    private final List<Part> parts = new ArrayList<>();

    /** @param fromMemory expected final content of the memory; both directions write to it */
    RcScript(Side from, Side to, byte[] fromMemory, byte[] toMemory, int firstPsn, int mtu, int longest, long seed) {
        this.from = from;
        this.to = to;
        this.fromMemory = fromMemory;
        this.toMemory = toMemory;
        this.firstPsn = firstPsn;
        this.mtu = mtu;
        this.longest = longest;
        this.random = new SplittableRandom(seed);
        for (int key = 1; key < KEYS; key++) {
            from.grant(Side.KEY + key * 256, 1, 0, Side.MEMORY, org.hcaactors.api.memory.AccessFlags.LOCAL_AND_REMOTE);
        }
    }

    void draw(int count) {
        for (int id = 0; id < count; id++) {
            boolean signaled = id == count - 1 || random.nextInt(3) > 0;
            SendFlags flags = SendFlags.NONE
                    .withSignaled(signaled)
                    .withSolicited(random.nextBoolean())
                    .withFence(random.nextInt(8) == 0);
            switch (random.nextInt(6)) {
                case 0, 1 -> send(id, flags);
                case 2, 3 -> write(id, flags);
                case 4 -> read(id, flags);
                default -> atomic(id, flags);
            }
        }
        addReceive();
    }

    int messagesOf(CompletionKind kind) {
        return (int) messages.stream().filter(m -> m.posted.kind() == kind).count();
    }

    // --- requests ---

    private int length(int max) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> mtu;
            case 2 -> Math.min(max, mtu * (1 + random.nextInt(4)));
            case 3 -> Math.min(max, mtu * (1 + random.nextInt(4)) + 1);
            default -> random.nextInt(max + 1);
        };
    }

    private void send(int id, SendFlags drawn) {
        int length = length(Math.min(longest, RECEIVE_BYTES - 2 * GAP));
        OptionalInt immediate = random.nextInt(3) == 0 ? OptionalInt.of(random.nextInt()) : OptionalInt.empty();
        List<LocalSlice> local = sources(length);
        byte[] bytes = bytesOf(local, length);
        SendFlags flags = random.nextInt(4) == 0 ? drawn.withInline() : drawn;
        Send plain = Send.of(id, local).withFlags(flags);
        post(immediate.isPresent() ? plain.withImmediate(immediate.getAsInt()) : plain, bytes);
        receive(CompletionKind.RECV, length, immediate, flags.solicited(), bytes);
        cut(bytes, length);
    }

    private void write(int id, SendFlags drawn) {
        int length = length(longest);
        OptionalInt immediate = random.nextInt(3) == 0 ? OptionalInt.of(random.nextInt()) : OptionalInt.empty();
        List<LocalSlice> local = sources(length);
        byte[] bytes = bytesOf(local, length);
        int at = TARGET + random.nextInt(TARGET_BYTES - length);
        SendFlags flags = random.nextInt(4) == 0 ? drawn.withInline() : drawn;
        RdmaWrite plain = RdmaWrite.of(id, local, remote(at)).withFlags(flags);
        post(immediate.isPresent() ? plain.withImmediate(immediate.getAsInt()) : plain, bytes);
        System.arraycopy(bytes, 0, toMemory, at, length);
        if (immediate.isPresent()) {
            receive(CompletionKind.RECV_RDMA_WITH_IMM, length, immediate, flags.solicited(), new byte[0]);
        }
        cut(bytes, length);
    }

    private void read(int id, SendFlags flags) {
        int length = length(longest);
        int at = random.nextInt(SOURCE_BYTES - length);
        byte[] bytes = Arrays.copyOfRange(toMemory, at, at + length);
        List<LocalSlice> local = pieces(READ_INTO + random.nextInt(READ_INTO_BYTES - length - 2 * GAP), length, GAP);
        post(RdmaRead.of(id, local, remote(at)).withFlags(flags), bytes);
        scatter(local, bytes, from, fromMemory);
        cut(bytes, length);
    }

    private void atomic(int id, SendFlags flags) {
        int at = WORDS + 8 * random.nextInt(8);
        int result = RESULTS + 8 * random.nextInt(32);
        ByteBuffer words = ByteBuffer.wrap(toMemory).order(ByteOrder.nativeOrder());
        long before = words.getLong(at);
        LocalSlice local = slice(result, 8);
        long operand = random.nextLong();
        if (random.nextBoolean()) {
            add(new Message(
                    posted(FetchAdd.of(id, local, remote(at), operand).withFlags(flags)), parts.size(), before));
            words.putLong(at, before + operand);
        } else {
            long compare = random.nextBoolean() ? before : before + 1;
            CompareAndSwap swap = CompareAndSwap.of(id, local, remote(at), compare, operand);
            add(new Message(posted(swap.withFlags(flags)), parts.size(), before));
            words.putLong(at, compare == before ? operand : before);
        }
        ByteBuffer.wrap(fromMemory).order(ByteOrder.nativeOrder()).putLong(result, before);
        parts.add(new Part(messages.size() - 1, 0, new byte[0], true, true));
    }

    private void post(WorkRequest work, byte[] bytes) {
        Octets inline = work.flags().inline() ? Octets.copyOf(bytes) : null;
        PostedRequest posted = new PostedRequest(
                work,
                PostedRequest.kindOf(work),
                bytes.length,
                PostedRequest.Extras.of(inline, null, null, work.id() + 1));
        add(new Message(posted, parts.size(), 0));
    }

    private static PostedRequest posted(WorkRequest work) {
        return new PostedRequest(
                work, PostedRequest.kindOf(work), 8, PostedRequest.Extras.of(null, null, null, work.id() + 1));
    }

    private void add(Message message) {
        messages.add(message);
        PostedRequest posted = message.posted;
        if (posted.work().flags().signaled()) {
            long length = posted.awaitsResponse() ? posted.lengthBytes() : 0;
            sends.add(WorkCompletion.of(
                    posted.work().id(), Status.SUCCESS, posted.kind(), from.number, length, OptionalInt.empty()));
        }
    }

    private void receive(CompletionKind kind, int length, OptionalInt immediate, boolean event, byte[] bytes) {
        Receive receive = addReceive();
        scatter(receive.local(), bytes, to, toMemory);
        received.add(WorkCompletion.of(receive.id(), Status.SUCCESS, kind, to.number, length, immediate));
        solicited.add(event);
    }

    private Receive addReceive() {
        int slot = receives.size() % 8 * RECEIVE_BYTES + RECEIVES;
        int cut = random.nextInt(RECEIVE_BYTES - 2 * GAP);
        LocalSlice head = new LocalSlice(key(), to.memory.address() + slot, cut);
        LocalSlice tail = new LocalSlice(key(), to.memory.address() + slot + cut + GAP, RECEIVE_BYTES - GAP - cut);
        Receive receive = Receive.of(1000 + receives.size(), head, tail);
        receives.add(receive);
        return receive;
    }

    // --- memory ---

    private int key() {
        return Side.KEY + 256 * random.nextInt(KEYS);
    }

    private LocalSlice slice(int at, int length) {
        return new LocalSlice(key(), from.memory.address() + at, length);
    }

    private RemoteAddress remote(int at) {
        return new RemoteAddress(key(), to.memory.address() + at);
    }

    private List<LocalSlice> sources(int length) {
        List<LocalSlice> slices = new ArrayList<>();
        for (LocalSlice piece : pieces(0, length, 0)) {
            slices.add(slice(random.nextInt(SOURCE_BYTES - piece.lengthBytes()), piece.lengthBytes()));
        }
        return slices;
    }

    /** Returns up to three slices, some of them empty. */
    private List<LocalSlice> pieces(int at, int length, int gap) {
        List<LocalSlice> pieces = new ArrayList<>();
        int done = 0;
        for (int i = random.nextInt(3); i > 0; i--) {
            int piece = random.nextInt(length - done + 1);
            pieces.add(slice(at, piece));
            at += piece + gap;
            done += piece;
        }
        pieces.add(slice(at, length - done));
        return pieces;
    }

    private byte[] bytesOf(List<LocalSlice> slices, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (LocalSlice slice : slices) {
            bytes.put(fromMemory, (int) (slice.address() - from.memory.address()), slice.lengthBytes());
        }
        return bytes.array();
    }

    private static void scatter(List<LocalSlice> slices, byte[] bytes, Side side, byte[] memory) {
        int done = 0;
        for (LocalSlice slice : slices) {
            int part = Math.min(slice.lengthBytes(), bytes.length - done);
            System.arraycopy(bytes, done, memory, (int) (slice.address() - side.memory.address()), part);
            done += part;
        }
    }

    private void cut(byte[] bytes, int length) {
        int at = 0;
        do {
            byte[] part = Arrays.copyOfRange(bytes, at, Math.min(at + mtu, length));
            parts.add(new Part(messages.size() - 1, at, part, at == 0, at + mtu >= length));
            at += mtu;
        } while (at < length);
    }

    // --- packets ---

    /** Returns the position of that PSN in the conversation. */
    private int place(int psn) {
        int place = Psn.compare(psn, firstPsn);
        must(place >= 0 && place < parts.size(), "PSN", psn, firstPsn);
        return place;
    }

    /** Number of messages that end before that position. */
    private int endedBefore(int place) {
        return place == 0 ? 0 : parts.get(place - 1).message + (parts.get(place - 1).ends ? 1 : 0);
    }

    /** Checks a packet from {@link #from}, sent for the first time or again. */
    void checkRequest(Packet packet) {
        Part part = parts.get(place(packet.psn()));
        PostedRequest posted = messages.get(part.message).posted;
        Operation operation = packet.operation();
        same(packet.bth().destQp(), to.number, packet);
        must(packet.bth().ackReq() || !part.ends && !posted.awaitsResponse(), "asks for its answer", packet, part);
        switch (posted.work()) {
            case Send send -> checkData(packet, part, posted, send.immediate(), operation.isSend());
            case RdmaWrite write -> {
                checkData(packet, part, posted, write.immediate(), operation.isWrite());
                if (part.starts) {
                    same(packet.reth(), reth(write.remote(), 0, posted.lengthBytes()), packet);
                }
            }
            case RdmaRead read -> {
                same(operation, Operation.READ_REQUEST, packet);
                same(packet.reth(), reth(read.remote(), part.offset, posted.lengthBytes() - part.offset), packet);
            }
            case FetchAdd add -> {
                same(operation, Operation.FETCH_ADD, packet);
                same(packet.atomicEth(), operands(add.remote(), add.add(), 0), packet);
            }
            case CompareAndSwap swap -> {
                same(operation, Operation.COMPARE_SWAP, packet);
                same(packet.atomicEth(), operands(swap.remote(), swap.swap(), swap.compare()), packet);
            }
            case MaskedFetchAdd add -> {
                same(operation, Operation.MASKED_FETCH_ADD, packet);
                same(packet.atomicAddress(), address(add.remote()), packet);
                same(packet.payload(), AtomicOperands.of(add), packet);
            }
            case MaskedCompareAndSwap swap -> {
                same(operation, Operation.MASKED_COMPARE_SWAP, packet);
                same(packet.atomicAddress(), address(swap.remote()), packet);
                same(packet.payload(), AtomicOperands.of(swap), packet);
            }
            case KeyWork work -> must(false, "sends nothing", packet, part);
        }
    }

    private static void checkData(
            Packet packet, Part part, PostedRequest posted, OptionalInt immediate, boolean rightVerb) {
        Operation operation = packet.operation();
        must(rightVerb, "the verb", operation, posted.kind());
        same(operation.starts(), part.starts, packet);
        same(operation.ends(), part.ends, packet);
        same(packet.payload(), Octets.wrap(part.bytes, 0, part.bytes.length), packet);
        same(packet.immediateIfAny(), part.ends ? immediate : OptionalInt.empty(), packet);
        boolean event = posted.kind() == CompletionKind.SEND || immediate.isPresent();
        same(
                packet.bth().solicited(),
                part.ends && event && posted.work().flags().solicited(),
                packet);
    }

    private static ExtendedHeader reth(RemoteAddress remote, long offset, long length) {
        return new ExtendedHeader.Reth(remote.address() + offset, remote.rkey(), (int) length);
    }

    private static ExtendedHeader address(RemoteAddress remote) {
        return new ExtendedHeader.AtomicAddress(remote.address(), remote.rkey());
    }

    private static ExtendedHeader operands(RemoteAddress remote, long swapOrAdd, long compare) {
        return new ExtendedHeader.AtomicEth(remote.address(), remote.rkey(), swapOrAdd, compare);
    }

    /** Checks a packet from {@link #to} that responds to this direction's requests. */
    void checkAnswer(Packet packet, int rnrTimer) {
        int place = place(packet.psn());
        switch (packet.operation()) {
            case ACKNOWLEDGE -> {
                int syndrome = packet.aeth().syndrome();
                List<Integer> legal = List.of(Syndrome.ACK, Syndrome.NAK_PSN_SEQUENCE, Syndrome.rnr(rnrTimer));
                must(legal.contains(syndrome), "the syndrome", syndrome, legal);
                int msn = packet.aeth().msn();
                if (Syndrome.isAck(syndrome)) {
                    // rule rc-duplicate: a repeated request is acknowledged up to what is no READ, with the newest MSN
                    must(msn >= endedBefore(place + 1) && msn <= messages.size(), "the MSN", packet, messages.size());
                } else {
                    same(msn, endedBefore(place), packet);
                }
            }
            case ATOMIC_ACKNOWLEDGE -> {
                Message message = messages.get(parts.get(place).message);
                same(packet.atomicAckEth().original(), message.original, packet);
                checkMsn(packet, place);
            }
            default -> {
                Part part = parts.get(place);
                same(packet.operation().isReadResponse(), true, packet);
                same(messages.get(part.message).posted.kind(), CompletionKind.RDMA_READ, packet);
                same(packet.payload(), Octets.wrap(part.bytes, 0, part.bytes.length), packet);
                same(packet.operation().ends(), part.ends, packet);
                if (packet.operation() != Operation.READ_RESPONSE_MIDDLE) {
                    checkMsn(packet, place);
                }
            }
        }
    }

    /** The message was executed before this response, and perhaps later ones, too: the response to a duplicate is newer. */
    private void checkMsn(Packet packet, int place) {
        int msn = packet.aeth().msn();
        same(packet.aeth().syndrome(), Syndrome.ACK, packet);
        must(msn > parts.get(place).message && msn <= messages.size(), "the MSN", packet, messages.size());
    }

    // A hundred thousand packets a second pass here, so no text is built before it is needed.

    private static void same(Object actual, Object expected, Packet packet) {
        must(actual.equals(expected), "as the model has it", expected, packet);
    }

    private static void must(boolean holds, String what, Object one, Object other) {
        if (!holds) {
            throw new AssertionError(what + ": " + one + ", " + other);
        }
    }
}
