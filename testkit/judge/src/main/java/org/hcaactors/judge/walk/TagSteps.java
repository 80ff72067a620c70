// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.judge.walk.Request.Flaws;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;
import org.hcaactors.judge.walk.WalkObjects.CqModel;
import org.hcaactors.judge.walk.WalkObjects.Domain;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.judge.walk.WalkObjects.Region;

// rules tag-capabilities, tag-srq, tag-operations-ordered, tag-delete-race
/**
 * Steps with shared receive queues with tag matching, and with operations on their lists, some of them with invalid parameters.
 */
final class TagSteps {
    private static final int TAG_VALUES = 2;
    private static final int QUEUE_PAIRS = 3;
    /** Receives in its list from the beginning. */
    private static final int AT_FIRST = 4;

    /** One in this many queues or operations has a mistake. */
    private static final int ODD = 8;

    private static final int BEYOND_ITS_COUNTER = 0x1_0000;

    private final WalkContext walk;
    private final ObjectSteps objects;
    private final ReceiveSteps receives;

    TagSteps(WalkContext walk, ObjectSteps objects, ReceiveSteps receives) {
        this.walk = walk;
        this.objects = objects;
        this.receives = receives;
    }

    private static TagCapabilities can(Domain domain) {
        return domain.context.program.adapter.profile().tags();
    }

    void make() {
        walk.pick(Domain.class)
                .ifPresent(domain -> walk.pick(CqModel.class, cq -> walk.oneIn(ODD) || cq.context == domain.context)
                        .ifPresent(cq -> make(domain, cq)));
    }

    /** Creates a queue, with some queue pairs on it, if the adapter supports tag matching. */
    void begin(Domain domain) {
        walk.anyOf(walk.open(CqModel.class).stream()
                        .filter(cq -> cq.context == domain.context)
                        .toList())
                .ifPresent(cq -> make(domain, cq, 0));
    }

    void attach(TagQueue queue) {
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            objects.queuePair(queue.domain, queue);
        }
        for (int i = 0; i < AT_FIRST; i++) {
            add(queue);
        }
    }

    private void make(Domain domain, CqModel cq) {
        make(domain, cq, walk.oneIn(ODD) ? 1 + walk.random.nextInt(4) : 0);
    }

    /**
     * Creates a queue.
     *
     * @param odd which of its parameters is invalid; 0 if none
     */
    private void make(Domain domain, CqModel cq, int odd) {
        TagCapabilities can = can(domain);
        int tags = odd == 1 ? 0 : odd == 2 ? can.maxTags() + 1 : TagQueue.TAGS;
        int operations = odd == 3 ? 0 : odd == 4 ? can.maxOperations() + 1 : TagQueue.OPERATIONS;
        Set<Errno> wrong = EnumSet.noneOf(Errno.class);
        if (!can.isSupported()) {
            wrong.add(Errno.EOPNOTSUPP);
        }
        if (odd != 0 || cq.context != domain.context) {
            wrong.add(Errno.EINVAL);
        }
        walk.make(
                "tag-matching queue of " + tags + " tags by " + operations + " operations in " + domain.name()
                        + ", completing on " + cq.name(),
                List.of(domain, cq),
                wrong,
                call -> new TagQueue(walk.name("tags"), call, domain, cq),
                () -> domain.handle()
                        .createSrq(SrqDescription.of(ObjectSteps.SHARED_LENGTH)
                                .withMaxSge(1)
                                .withTagMatching(TagMatching.of(cq.handle())
                                        .withMaxTags(tags)
                                        .withMaxOperations(operations))));
    }

    /** Creates a queue on an object that is being closed or about to be: one of the two calls must fail. */
    void makeBesideClosing() {
        walk.pick(Domain.class)
                .ifPresent(domain -> walk.anyOf(walk.open(CqModel.class).stream()
                                .filter(cq -> cq.context == domain.context)
                                .toList())
                        .ifPresent(cq -> {
                            boolean first = walk.oneIn(2);
                            if (first) {
                                objects.close(cq);
                            }
                            make(domain, cq, 0);
                            if (!first) {
                                objects.close(cq);
                            }
                        }));
    }

    void operate() {
        walk.pick(TagQueue.class).ifPresent(queue -> {
            switch (walk.random.nextInt(8)) {
                case 0, 1, 2, 3, 4 -> add(queue);
                case 5, 6 -> delete(queue);
                default -> sync(queue);
            }
        });
    }

    /** Returns the count of handled messages: mostly what the program has polled, sometimes an invalid count. */
    private OptionalInt handled(TagQueue queue) {
        return switch (walk.random.nextInt(2 * ODD)) {
            case 0 -> OptionalInt.of(-1);
            case 1 -> OptionalInt.of(BEYOND_ITS_COUNTER);
            case 2 -> OptionalInt.of(walk.random.nextInt(BEYOND_ITS_COUNTER));
            case 3, 4, 5, 6 -> OptionalInt.empty();
            default -> OptionalInt.of(queue.unexpected());
        };
    }

    private static boolean isOdd(OptionalInt handled) {
        return handled.isPresent() && (handled.getAsInt() < 0 || handled.getAsInt() >= BEYOND_ITS_COUNTER);
    }

    private void add(TagQueue queue) {
        walk.regionOf(queue.domain).ifPresent(region -> {
            RequestBuffer place = RequestBuffer.in(region, true);
            Call call = walk.journal.begin("add a receive to " + queue.name(), List.of(queue));
            Request receive = receives.receive(call, Optional.empty(), Optional.of(queue), place);
            Request operation = operation(call, queue, Verb.LIST);
            OptionalInt handled = handled(queue);
            boolean torn = walk.oneIn(2 * ODD);
            TagAdd plain = add(operation, torn ? torn(receive, region) : ReceiveSteps.work(receive, place));
            TagAdd counted = handled.isPresent() ? plain.withHandled(handled.getAsInt()) : plain;
            TagAdd add = operation.report == Report.ENTRY ? counted.withSignaled() : counted;
            boolean odd = torn || isOdd(handled);
            boolean full = queue.mayBeFullOfTags();
            TagHandle[] given = new TagHandle[1];
            post(
                    call,
                    queue,
                    operation,
                    odd,
                    full,
                    () -> given[0] = queue.tags().add(add));
            if (call.succeeded()) {
                queue.listed.add(new TagQueue.Listed(receive, place, given[0]));
                walk.requests.posted(receive);
            } else {
                receive.cutOff();
                place.release();
            }
        });
    }

    /** Returns a receive with two elements, which a tag list does not accept. */
    private static Receive torn(Request receive, Region region) {
        return Receive.of(
                receive.id,
                region.handle().slice(Memory.SCRAP, Long.BYTES),
                region.handle().slice(Memory.SCRAP, Long.BYTES));
    }

    /**
     * Returns an add; one in three has a tag mask, and some of these can't match, since their mask clears a bit of their tag.
     */
    private TagAdd add(Request operation, Receive receive) {
        long tag = walk.random.nextInt(TAG_VALUES);
        TagAdd add = TagAdd.of(operation.id, receive, tag);
        return walk.oneIn(3) ? add.withMask(walk.random.nextInt(TAG_VALUES)) : add;
    }

    private Request operation(Call call, TagQueue queue, Verb verb) {
        Request operation = new Request(
                walk.requests.nextId(),
                verb,
                walk.oneIn(3) ? Report.SILENT : Report.ENTRY,
                0,
                Flaws.NONE,
                call,
                Optional.empty(),
                Optional.of(queue),
                Optional.empty(),
                false,
                Optional.empty(),
                false);
        walk.requests.add(operation);
        return operation;
    }

    /**
     * Posts an operation.
     *
     * @param odd true if its parameters are invalid
     * @param full true if the list may have no free place
     */
    private void post(Call call, TagQueue queue, Request operation, boolean odd, boolean full, Runnable verb) {
        boolean many = full || queue.mayBeFullOfOperations();
        walk.journal.now(
                call,
                ended -> AllowedAnswers.using(ended, queue)
                        .orRefusedIf(many, Errno.ENOMEM)
                        .orRefusedIf(odd, Errno.EINVAL)
                        .onlyRefusedIf(odd),
                verb);
        if (!call.succeeded()) {
            operation.cutOff();
            return;
        }
        queue.operated(operation);
        if (operation.report == Report.ENTRY) {
            walk.requests.posted(operation);
        }
    }

    /** Removes a receive that waits, has a message, was removed before, or is of another queue. */
    private void delete(TagQueue queue) {
        boolean foreign = walk.oneIn(ODD);
        List<TagQueue.Listed> some = foreign
                ? walk.all(TagQueue.class).stream()
                        .filter(other -> other != queue && isBeside(other, queue))
                        .flatMap(other -> other.listed.stream())
                        .toList()
                : queue.listed;
        walk.anyOf(some).ifPresent(listed -> {
            Call call = walk.journal.begin("delete " + listed.receive() + " from " + queue.name(), List.of(queue));
            Request operation = operation(call, queue, Verb.UNLIST);
            OptionalInt handled = handled(queue);
            TagDelete plain = TagDelete.of(operation.id, listed.handle());
            TagDelete counted = handled.isPresent() ? plain.withHandled(handled.getAsInt()) : plain;
            TagDelete delete = operation.report == Report.ENTRY ? counted.withSignaled() : counted;
            operation.whenDone(() -> takenOut(listed));
            post(
                    call,
                    queue,
                    operation,
                    foreign || isOdd(handled),
                    false,
                    () -> queue.tags().delete(delete));
        });
    }

    /**
     * True if the two queues are on one adapter; on another a queue may have the same number, and its receives could not be
     * distinguished.
     */
    private static boolean isBeside(TagQueue one, TagQueue other) {
        return one.domain.context.program.adapter == other.domain.context.program.adapter;
    }

    // rule tag-delete-race
    /** Releases the buffer of a removed receive: nothing arrives there. */
    private void takenOut(TagQueue.Listed listed) {
        walk.requests.takenOut(listed.receive());
        listed.place().release();
    }

    private void sync(TagQueue queue) {
        Call call = walk.journal.begin("report the handled unexpected messages to " + queue.name(), List.of(queue));
        Request operation = operation(call, queue, Verb.LIST);
        OptionalInt handled = handled(queue);
        TagSync plain = TagSync.of(operation.id, handled.orElse(0));
        TagSync sync = operation.report == Report.ENTRY ? plain.withSignaled() : plain;
        post(call, queue, operation, isOdd(handled), false, () -> queue.tags().sync(sync));
    }

    void look() {
        walk.pick(TagQueue.class).ifPresent(queue -> {
            Call call = walk.journal.begin("query the list of " + queue.name(), List.of(queue));
            Consumer<TagSnapshot> check = snapshot -> check(queue, snapshot);
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, queue),
                    () -> queue.tags().queryTags(),
                    check);
        });
    }

    private void check(TagQueue queue, TagSnapshot snapshot) {
        boolean fits = snapshot.tags() >= 0
                && snapshot.tags() <= TagQueue.TAGS
                && snapshot.notMatching() >= 0
                && snapshot.notMatching() <= snapshot.tags();
        boolean inStep = snapshot.unexpected() == snapshot.handled() && snapshot.notMatching() > 0;
        if (!fits || inStep) {
            throw walk.journal.wrong("the list of " + queue + " has the unexpected state " + snapshot, List.of(queue));
        }
    }

    // rule tag-header
    /**
     * Returns the header of a message of that length to a queue with tag matching. It is a rendezvous only if both sides have
     * such a queue: elsewhere the answer would be taken for a message.
     */
    static byte[] header(WalkContext walk, WalkQueuePair qp, Region localRegion, int lengthBytes) {
        long tag = walk.random.nextInt(TAG_VALUES);
        int lot = walk.random.nextInt(8);
        if (lot == 0 || lengthBytes < TagHeader.BYTES) {
            return new byte[0];
        }
        if (lot < 5 || !qp.comparesTags() || lengthBytes < TagHeader.BYTES + RendezvousHeader.BYTES) {
            return TagHeader.eager(0, tag).bytes();
        }
        qp.fetches();
        RemoteAddress zeroes = localRegion.handle().remote(Memory.ZEROES);
        RemoteAddress where = walk.oneIn(ODD) ? new RemoteAddress(WorkSteps.NO_KEY, zeroes.address()) : zeroes;
        ByteBuffer headers = ByteBuffer.allocate(TagHeader.BYTES + RendezvousHeader.BYTES);
        TagHeader.rendezvous(0, tag).write(headers);
        new RendezvousHeader(where, walk.random.nextInt(Memory.CELL + 1)).write(headers);
        return headers.array();
    }
}
