// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;

/** Calls for shared receive queues: plain, of XRC, and with tag matching. Any thread; waits. */
final class SharedReceiveCalls {
    private static final long LOW = 0xFFFF_FFFFL;

    /** A shared receive queue of the program ({@code ibv_srq}). */
    static final class Shared implements Opened {
        private final OpenedDevice device;
        private final SharedReceiveQueue queue;
        private final long cookie;
        private long lastTag;

        Shared(OpenedDevice device, SharedReceiveQueue queue, long cookie) {
            this.device = device;
            this.queue = queue;
            this.cookie = cookie;
        }

        @Override
        public OpenedDevice device() {
            return device;
        }

        SharedReceiveQueue queue() {
            return queue;
        }

        /** Returns the handle of an operation in the 32 bits that it has in C. */
        synchronized long shortened(TagHandle handle) {
            lastTag = Math.max(lastTag, handle.serial());
            return handle.serial() & LOW;
        }

        /** Returns the newest handle with these 32 bits. */
        synchronized TagHandle lengthened(long shortened) {
            long serial = lastTag & ~LOW | shortened & LOW;
            return new TagHandle(queue.number(), serial > lastTag ? serial - LOW - 1 : serial);
        }
    }

    private final Session session;

    SharedReceiveCalls(Session session) {
        this.session = session;
    }

    void create(Block words) {
        MemoryCalls.Domain domain = session.get(words, Calls.CreateSrq.PD, MemoryCalls.Domain.class);
        SharedReceiveQueue queue = session.await(domain.domain().createSrq(description(words)));
        Shared known = new Shared(domain.device(), queue, words.word(Calls.CreateSrq.COOKIE));
        domain.device().add(AsyncEvent.Source.SHARED_RECEIVE_QUEUE, queue.number(), known.cookie);
        session.add(words, Calls.CreateSrq.SRQ, known);
        words.put(Calls.CreateSrq.MAX_WR, queue.capacity().maxWr());
        words.put(Calls.CreateSrq.MAX_SGE, queue.capacity().maxSge());
        words.putUnsigned(Calls.CreateSrq.NUMBER, queue.number());
    }

    private SrqDescription<? extends SharedReceiveQueue> description(Block words) {
        // libmlx5 checks only the upper limit of elements.
        SrqDescription<SharedReceiveQueue> size = SrqDescription.of(words.number(Calls.CreateSrq.MAX_WR))
                .withMaxSge(Math.max(1, words.number(Calls.CreateSrq.MAX_SGE)));
        int type = words.number(Calls.CreateSrq.TYPE);
        return switch (type) {
            case Calls.SrqType.BASIC -> size;
            case Calls.SrqType.XRC ->
                size.withXrc(
                        session.get(words, Calls.CreateSrq.XRCD, AddressCalls.Xrc.class)
                                .domain(),
                        queueOf(words));
            case Calls.SrqType.TM ->
                size.withTagMatching(TagMatching.of(queueOf(words))
                        .withMaxTags(words.number(Calls.CreateSrq.MAX_TAGS))
                        .withMaxOperations(words.number(Calls.CreateSrq.MAX_TAG_OPS)));
            default ->
                throw VerbsException.invalid("the type of the shared receive queue is " + type + "; 0 to 2 is allowed");
        };
    }

    private CompletionQueue queueOf(Block words) {
        return session.get(words, Calls.CreateSrq.CQ, VerbsQueue.class).queue();
    }

    void modify(Block words) {
        SharedReceiveQueue queue = session.get(words, Calls.ModifySrq.SRQ, Shared.class).queue;
        long mask = words.word(Calls.ModifySrq.MASK);
        if ((mask & ~(Calls.SrqMask.MAX_WR | Calls.SrqMask.LIMIT)) != 0) {
            throw VerbsException.invalid("the attributes are 0x%x; 0x%x is allowed"
                    .formatted(mask, Calls.SrqMask.MAX_WR | Calls.SrqMask.LIMIT));
        }
        if ((mask & Calls.SrqMask.MAX_WR) != 0) {
            session.await(queue.resize(words.number(Calls.ModifySrq.MAX_WR)));
        }
        if ((mask & Calls.SrqMask.LIMIT) != 0) {
            session.await(queue.armLimit(words.number(Calls.ModifySrq.LIMIT)));
        }
    }

    void query(Block words) {
        SrqSnapshot now = session.await(
                session.get(words, Calls.QuerySrq.SRQ, Shared.class).queue.query());
        words.put(Calls.QuerySrq.MAX_WR, now.capacity().maxWr());
        words.put(Calls.QuerySrq.MAX_SGE, now.capacity().maxSge());
        words.put(Calls.QuerySrq.LIMIT, now.limit());
    }

    void destroy(Block words) {
        Shared known = session.get(words, Calls.DestroySrq.SRQ, Shared.class);
        session.await(known.queue.destroy());
        known.device.remove(AsyncEvent.Source.SHARED_RECEIVE_QUEUE, known.queue.number(), known.cookie);
        session.remove(words, Calls.DestroySrq.SRQ);
    }

    void tag(Block words) {
        Shared known = session.get(words, Calls.Tag.SRQ, Shared.class);
        if (!(known.queue instanceof TagSharedReceiveQueue queue)) {
            throw VerbsException.invalid("the shared receive queue matches no tags");
        }
        long flags = words.word(Calls.Tag.FLAGS);
        int opcode = words.number(Calls.Tag.OPCODE);
        switch (opcode) {
            case Calls.TagOpcode.ADD -> {
                TagHandle handle = queue.add(addition(words, flags));
                words.put(Calls.Tag.HANDLE, known.shortened(handle));
            }
            case Calls.TagOpcode.DEL ->
                queue.delete(deletion(words, known.lengthened(words.word(Calls.Tag.HANDLE)), flags));
            case Calls.TagOpcode.SYNC -> queue.sync(synchronization(words, flags));
            default -> throw VerbsException.invalid("the operation on tags is " + opcode + "; 0 to 2 is allowed");
        }
    }

    private static TagAdd addition(Block words, long flags) {
        Receive receive = new Receive(
                words.word(Calls.Tag.RECV_WR_ID),
                ElementList.read(words.word(Calls.Tag.ELEMENTS), words.number(Calls.Tag.COUNT)));
        TagAdd add = TagAdd.of(words.word(Calls.Tag.WR_ID), receive, words.word(Calls.Tag.TAG))
                .withMask(words.word(Calls.Tag.MASK));
        add = isSignaled(flags) ? add.withSignaled() : add;
        return isSynchronizing(flags) ? add.withHandled(words.number(Calls.Tag.UNEXPECTED)) : add;
    }

    private static TagDelete deletion(Block words, TagHandle handle, long flags) {
        TagDelete delete = TagDelete.of(words.word(Calls.Tag.WR_ID), handle);
        delete = isSignaled(flags) ? delete.withSignaled() : delete;
        return isSynchronizing(flags) ? delete.withHandled(words.number(Calls.Tag.UNEXPECTED)) : delete;
    }

    private static TagSync synchronization(Block words, long flags) {
        TagSync sync = TagSync.of(words.word(Calls.Tag.WR_ID), words.number(Calls.Tag.UNEXPECTED));
        return isSignaled(flags) ? sync.withSignaled() : sync;
    }

    private static boolean isSignaled(long flags) {
        return (flags & Calls.TagFlag.SIGNALED) != 0;
    }

    private static boolean isSynchronizing(long flags) {
        return (flags & Calls.TagFlag.TM_SYNC) != 0;
    }
}
