// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.judge.cover.Features.Elements;
import org.hcaactors.judge.cover.Features.Flag;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Transport;

/** Data of a combination: where it is, what is posted for it, and whether it arrived. */
final class PostedData {
    private static final long TAG = 0x7A;
    private static final int IMMEDIATE = 0x1234_5678;
    /** Offset of a rendezvous message's data, after its headers. */
    private static final int DATA = 256;

    private static final long ADDED = 0x0102_0304_0506_0708L;
    /** Large as an unsigned number, small as a signed one. */
    private static final long OPERAND = -5;

    private static final int FAR_MARK = 2;
    private static final int NEAR_MARK = 1;

    private final CombinedRun run;
    private final Case facts;
    private final int bytes;
    private final ChangedKey keys;
    private byte[] before = new byte[0];

    PostedData(CombinedRun run) {
        this.run = run;
        facts = run.facts;
        bytes = facts.bytes();
        keys = new ChangedKey(run);
    }

    /** Returns the data to send or write. */
    private byte[] data() {
        if (facts.verb() != PostedVerb.TUNNELED) {
            return MarkedBytes.of(NEAR_MARK, bytes);
        }
        ByteBuffer commands = ByteBuffer.allocate(bytes);
        byte[] one = TunneledCommand.ofLong(function(), 0, OPERAND).toBytes();
        while (commands.remaining() >= one.length) {
            commands.put(one);
        }
        return commands.array();
    }

    private TunneledCommand.Function function() {
        return facts.row().get(Features.COMMAND);
    }

    /** Fills both memories. */
    void prepare() {
        run.from.write(0, message());
        if (facts.isRendezvous()) {
            run.from.write(DATA, data());
        }
        run.to.write(0, facts.verb() == PostedVerb.TUNNELED ? new byte[64] : MarkedBytes.of(FAR_MARK, bytes + 64));
        before = run.to.read(0, Math.max(bytes, Long.BYTES)).orElseGet(() -> new byte[0]);
        keys.prepare();
    }

    /** Sets the page state of both memories, last: any host access brings pages back. */
    void pages() {
        pages(run.near, run.from);
        pages(run.far, run.to);
    }

    /** Returns the bytes of the request itself. */
    private byte[] message() {
        ByteBuffer message = ByteBuffer.allocate(facts.postedBytes());
        if (facts.isTagged()) {
            message.put(header().bytes());
        }
        if (facts.isRendezvous()) {
            new RendezvousHeader(run.from.remote(DATA), bytes).write(message);
            if (run.asks instanceof DcEnd end) {
                RendezvousAddressHeader.of(end.target().number(), DcAccessKey.of(DcEnd.ACCESS_KEY))
                        .write(message);
            }
        } else {
            message.put(data());
        }
        return message.array();
    }

    private TagHeader header() {
        return switch (facts.receiving()) {
            case RENDEZVOUS -> TagHeader.rendezvous(0, TAG);
            case UNTAGGED -> TagHeader.untagged(0);
            case OWN, SHARED, MATCHED, UNEXPECTED -> TagHeader.eager(0, TAG);
        };
    }

    private void pages(MemoryHost host, KeyedMemory memory) {
        boolean paged =
                memory == run.from ? facts.near().isPaged() : facts.far().isPaged();
        switch (facts.row().get(Features.PAGES)) {
            case PINNED, ABSENT -> {}
            case EVICTED -> {
                if (paged) {
                    memory.memory().ifPresent(there -> there.evict(0, there.lengthBytes()));
                }
            }
            case PREFETCHED -> {
                if (paged) {
                    host.await(
                            host.domain.advise(Prefetch.of(Prefetch.Purpose.WRITE, memory.slice(0, KeyedMemory.BYTES))
                                    .withFlush()));
                }
            }
        }
    }

    private List<LocalSlice> slices(KeyedMemory memory, int count) {
        if (facts.row().get(Features.ELEMENTS) == Elements.ONE) {
            return List.of(memory.slice(0, count));
        }
        int cut = count / 2;
        return List.of(memory.slice(0, cut), memory.slice(cut, count - cut));
    }

    private int headroom() {
        return facts.transport() == Transport.UD ? UdQueuePair.GRH_BYTES : 0;
    }

    /** Posts the receive for the message, if one is needed, and for the end of a rendezvous. */
    void receive() {
        if (!facts.verb().takesReceive()) {
            return;
        }
        if (!facts.verb().isSend()) {
            run.asked.postReceive(new Receive(1, List.of()));
            return;
        }
        int room = headroom() + facts.headerBytes() + bytes;
        if (facts.isTagged() && !facts.receiving().keepsHeader()) {
            run.tags.orElseThrow().add(TagAdd.of(1, Receive.of(1, run.to.slice(0, bytes)), TAG));
        } else {
            run.asked.postReceive(new Receive(1, receiveSlices(room)));
        }
        if (facts.isRendezvous()) {
            KeyedMemory finished = run.near.mapped(memory -> memory);
            run.asks.postReceive(Receive.of(2, finished.slice(0, 64)));
        }
    }

    private List<LocalSlice> receiveSlices(int room) {
        boolean two = facts.row().get(Features.ELEMENTS) == Elements.TWO
                && facts.profile().queues().maxSge() > 1
                && facts.profile().sharedReceives().maxSge() > 1;
        int cut = room / 2;
        return two ? List.of(run.to.slice(0, cut), run.to.slice(cut, room - cut)) : List.of(run.to.slice(0, room));
    }

    WorkRequest request() {
        List<LocalSlice> local = slices(run.from, facts.postedBytes());
        return flagged(
                switch (facts.verb()) {
                    case SEND -> Send.of(1, local);
                    case SEND_IMM -> Send.of(1, local).withImmediate(IMMEDIATE);
                    case SEND_INV -> Send.of(1, local).withInvalidate(keys.invalidated());
                    case WRITE, TUNNELED -> RdmaWrite.of(1, local, run.to.remote(0));
                    case WRITE_IMM -> RdmaWrite.of(1, local, run.to.remote(0)).withImmediate(IMMEDIATE);
                    case READ -> RdmaRead.of(1, local, run.to.remote(0));
                    case SWAP -> CompareAndSwap.of(1, local, run.to.remote(0), found().toLong(), ADDED);
                    case ADD -> FetchAdd.of(1, local, run.to.remote(0), ADDED);
                    case MASKED_SWAP ->
                        MaskedCompareAndSwap.of(1, local, run.to.remote(0), found(), AtomicValue.ones(bytes));
                    case MASKED_ADD -> MaskedFetchAdd.of(1, local, run.to.remote(0), AtomicValue.ones(bytes));
                    case BIND_1, BIND_2, INVALIDATE_WINDOW, INVALIDATE_KEY, FILL -> keys.request();
                });
    }

    private WorkRequest flagged(WorkRequest plain) {
        boolean inline = facts.sendsInline();
        Flag flag = facts.row().get(Features.FLAG);
        var flags =
                plain.flags().withInline(inline).withFence(flag == Flag.FENCED).withSolicited(flag == Flag.SOLICITED);
        return switch (plain) {
            case Send send -> send.withFlags(flags);
            case RcWork work -> work.withFlags(flags);
            default -> throw new IllegalStateException("no flags for " + plain);
        };
    }

    /** Returns the value before an atomic. */
    private AtomicValue found() {
        if (before.length == 0) {
            return AtomicValue.zeros(bytes);
        }
        return value(before, facts.order());
    }

    private AtomicValue value(byte[] memory, ByteOrder order) {
        ByteBuffer all = ByteBuffer.wrap(memory).order(order);
        if (bytes == Integer.BYTES) {
            return AtomicValue.ofInt(all.getInt());
        }
        long[] words = new long[bytes / Long.BYTES];
        Arrays.setAll(words, i -> all.getLong());
        return AtomicValue.ofWords(words);
    }

    long receivedBytes() {
        if (!facts.verb().isSend()) {
            return bytes;
        }
        boolean whole = !facts.isTagged() || facts.receiving().keepsHeader();
        return headroom() + bytes + (whole ? facts.headerBytes() : 0);
    }

    OptionalInt immediate() {
        return switch (facts.verb()) {
            case SEND_IMM, WRITE_IMM -> OptionalInt.of(IMMEDIATE);
            default -> OptionalInt.empty();
        };
    }

    OptionalInt invalidated() {
        return facts.verb() == PostedVerb.SEND_INV ? OptionalInt.of(keys.invalidated()) : OptionalInt.empty();
    }

    /** Checks that the data is where it belongs. */
    void check() {
        if (facts.verb().changesKey()) {
            keys.check();
        } else if (facts.verb().isSend()) {
            boolean whole = facts.isTagged() && facts.receiving().keepsHeader();
            same(run.to, headroom() + (whole ? facts.headerBytes() : 0), sent());
        } else if (facts.verb() == PostedVerb.TUNNELED) {
            run.to
                    .memory()
                    .ifPresent(memory -> assertThat(memory.readLong(0))
                            .as("what the commands make of 0")
                            .isEqualTo(commanded()));
        } else if (facts.verb().isWrite()) {
            same(run.to, 0, sent());
        } else if (facts.verb() == PostedVerb.READ) {
            same(run.from, 0, Arrays.copyOf(before.length == 0 ? new byte[bytes] : before, bytes));
        } else {
            checkAtomic();
        }
    }

    private long commanded() {
        long word = 0;
        for (int i = 0; i < bytes / TunneledCommand.BYTES; i++) {
            word = switch (function()) {
                case ADD -> word + OPERAND;
                case XOR -> word ^ OPERAND;
                case OR -> word | OPERAND;
                case AND -> word & OPERAND;
                case MAX_UNSIGNED -> Long.compareUnsigned(word, OPERAND) > 0 ? word : OPERAND;
                case MIN_UNSIGNED -> Long.compareUnsigned(word, OPERAND) < 0 ? word : OPERAND;
                case MAX_SIGNED -> Math.max(word, OPERAND);
                case MIN_SIGNED -> Math.min(word, OPERAND);
            };
        }
        return word;
    }

    /** Returns the data that arrives: zeros from a null region. */
    private byte[] sent() {
        return facts.near() == MemoryKind.NULL ? new byte[bytes] : data();
    }

    private static void same(KeyedMemory memory, int offset, byte[] requested) {
        memory.read(offset, requested.length)
                .ifPresent(there -> assertThat(Arrays.mismatch(there, requested))
                        .as("the first byte that differs")
                        .isEqualTo(-1));
    }

    private void checkAtomic() {
        AtomicValue after = switch (facts.verb()) {
            case SWAP -> AtomicValue.ofLong(ADDED);
            case ADD -> found().plus(AtomicValue.ofLong(ADDED));
            case MASKED_SWAP -> AtomicValue.ones(bytes);
            default -> found().plus(AtomicValue.ones(bytes));
        };
        run.to
                .read(0, bytes)
                .ifPresent(there -> assertThat(value(there, facts.order()))
                        .as("the value behind an atomic")
                        .isEqualTo(after));
        var order = facts.verb().isMasked()
                ? facts.profile().atomics().maskedReplyOrder(bytes, facts.order())
                : facts.profile().atomics().repliesSwappedOn(facts.order()) ? ByteOrder.BIG_ENDIAN : facts.order();
        run.from
                .read(0, bytes)
                .ifPresent(there -> assertThat(value(there, order))
                        .as("the result of an atomic")
                        .isEqualTo(found()));
    }
}
