// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/** Kinds of objects, what each depends on, and what the walk knows of it. {@link WalkQueuePair} has a file of its own. */
final class WalkObjects {
    private WalkObjects() {}

    /** A process. Its exit closes what it opened and mapped. */
    static final class Program extends WalkObject {
        final Adapter adapter;
        final HostProcess process;

        Program(Adapter adapter, HostProcess process, Call making) {
            super("process " + adapter.name() + "/" + process.name(), making, Optional.empty(), List.of());
            this.adapter = adapter;
            this.process = process;
        }
    }

    /** An object with a handle, once it is created. */
    static class HandleObject<H extends Handle> extends WalkObject {
        private @Nullable H handle;

        HandleObject(String name, Call making, WalkObject owner, List<? extends WalkObject> uses) {
            super(name, making, Optional.of(owner), uses);
        }

        void made(H given) {
            handle = given;
        }

        H handle() {
            if (handle == null) {
                throw new IllegalStateException(name() + " has not been created yet");
            }
            return handle;
        }

        @Override
        String history() {
            return super.history() + (handle == null ? "" : " (" + handle.describe() + ")");
        }
    }

    /** A context. */
    static final class OpenedContext extends HandleObject<DeviceContext> {
        final Program program;
        final List<Listener<?>> listeners = new ArrayList<>();

        OpenedContext(String name, Call making, Program program) {
            super(name, making, program, List.of());
            this.program = program;
        }
    }

    static final class Memory extends HandleObject<HostMemory> {
        static final int CELL = 512;
        static final int CELLS = 12;
        /** Offset of a word behind the cells, to which atomics add. */
        static final int WORD = CELL * CELLS;

        /** Offsets of an area that any request may read and none writes, and of one that any request may write. */
        static final int ZEROES = WORD + Long.BYTES;

        static final int SCRAP = ZEROES + CELL;
        static final int BYTES = SCRAP + CELL;
        final Program program;
        private final BitSet claimed = new BitSet();
        /** Number of atomics that may have added one to the word, and number of those that have. */
        int mayHaveAdded;

        int haveAdded;

        Memory(String name, Call making, Program program) {
            super(name, making, program, List.of());
            this.program = program;
        }

        /** Returns the offset of a cell for one request until it is released; empty if there is none. */
        Optional<Integer> claim() {
            int cell = claimed.nextClearBit(0);
            if (cell >= CELLS) {
                return Optional.empty();
            }
            claimed.set(cell);
            return Optional.of(cell * CELL);
        }

        void release(int offset) {
            claimed.clear(offset / CELL);
        }
    }

    static final class Domain extends HandleObject<ProtectionDomain> {
        final OpenedContext context;

        Domain(String name, Call making, OpenedContext context) {
            super(name, making, context, List.of());
            this.context = context;
        }
    }

    /** An address handle. */
    static final class WalkAddressHandle extends HandleObject<AddressHandle> {
        final Domain domain;
        final Adapter to;

        WalkAddressHandle(String name, Call making, Domain domain, Adapter to) {
            super(name, making, domain.context, List.of(domain));
            this.domain = domain;
            this.to = to;
        }
    }

    static final class Channel extends HandleObject<CompletionChannel> {
        final OpenedContext context;
        final List<Listener<?>> listeners = new ArrayList<>();

        Channel(String name, Call making, OpenedContext context) {
            super(name, making, context, List.of());
            this.context = context;
        }
    }

    /** A completion queue. */
    static final class CqModel extends HandleObject<CompletionQueue> {
        final OpenedContext context;
        final boolean ignoresOverrun;
        /** Number of entries that it certainly holds. */
        final int places;

        final List<Listener<?>> listeners = new ArrayList<>();
        /** Number of requests and receives whose completion may still arrive, or is in it. */
        private int awaited;

        private boolean mayOverflow;

        CqModel(
                String name,
                Call making,
                OpenedContext context,
                Optional<Channel> channel,
                int places,
                boolean ignoresOverrun) {
            super(name, making, context, channel.stream().toList());
            this.context = context;
            this.places = places;
            this.ignoresOverrun = ignoresOverrun;
        }

        void await() {
            awaited++;
            mayOverflow |= awaited > places;
        }

        void noLongerAwait() {
            awaited--;
        }

        /** True if it may have overflowed: then entries are lost, or it and its queue pairs are in error. */
        boolean mayHaveLost() {
            return mayOverflow;
        }

        boolean mayHaveFailed() {
            return mayOverflow && !ignoresOverrun;
        }
    }

    /** A shared receive queue. {@link TagQueue} is one, too. */
    static class Shared extends HandleObject<SharedReceiveQueue> {
        final Domain domain;
        final List<Request> receives = new ArrayList<>();

        Shared(String name, Call making, Domain domain) {
            this(name, making, domain, List.of(domain));
        }

        Shared(String name, Call making, Domain domain, List<? extends WalkObject> uses) {
            super(name, making, domain.context, uses);
            this.domain = domain;
        }

        /** Returns the completion queues in which a receive of it may complete, one per possible completion. */
        List<CqModel> cqs(Request receive) {
            return users().stream()
                    .filter(WalkQueuePair.class::isInstance)
                    .map(user -> ((WalkQueuePair) user).receives)
                    .toList();
        }

        /** Returns the receives that a message may take. */
        Stream<Request> toTake() {
            return receives.stream();
        }

        /** True if queue pairs that take receives from it may fail although the message is right. */
        boolean mayHaveFailed() {
            return false;
        }

        /** True if entries may be lost, and with them the slots they would have freed. */
        boolean mayHaveLost() {
            return users().stream().anyMatch(user -> user instanceof WalkQueuePair qp && qp.receives.mayHaveLost());
        }

        boolean mayBeFull(int length) {
            return mayHaveLost()
                    || receives.stream().filter(receive -> !receive.isOver()).count() >= length;
        }
    }

    static final class Region extends HandleObject<MemoryRegion> {
        private record Change(Call call, AccessFlags rights) {}

        final Domain domain;
        final Memory memory;
        private final AccessFlags rights;
        private final List<Change> changes = new ArrayList<>();

        Region(String name, Call making, Domain domain, Memory memory, AccessFlags rights) {
            super(name, making, domain.context, List.of(domain, memory));
            this.domain = domain;
            this.memory = memory;
            this.rights = rights;
        }

        void changing(Call call, AccessFlags next) {
            changes.add(new Change(call, next));
        }

        // rule memory-reregister-fails
        /**
         * True also if a change may have failed for lack of resources, which leaves the region undefined: unusable, though it
         * can be closed.
         */
        @Override
        boolean mayGoSince(int moment) {
            return super.mayGoSince(moment) || changes.stream().anyMatch(change -> change.call.mayWantResources());
        }

        boolean mayChangeSince(int moment) {
            return changes.stream().anyMatch(change -> !change.call.endedBefore(moment));
        }

        /** True if it allows the right before and after every change. */
        boolean surelyAllows(Access right) {
            return everyRights().allMatch(each -> each.allows(right));
        }

        /** True if it denies the right before and after every change. */
        boolean surelyDenies(Access right) {
            return everyRights().noneMatch(each -> each.allows(right));
        }

        private Stream<AccessFlags> everyRights() {
            return Stream.concat(
                    Stream.of(rights),
                    changes.stream().filter(change -> !change.call.wasRefused()).map(Change::rights));
        }
    }

    /** A key that maps memory of other keys. */
    static class MappingKey<H extends Handle> extends HandleObject<H> {
        final Domain domain;
        private final List<RegionAlias> aliases = new ArrayList<>();

        MappingKey(String name, Call making, Domain domain) {
            super(name, making, domain.context, List.of(domain));
            this.domain = domain;
        }

        /** True if the result of its last change is known. */
        boolean isSettled() {
            return aliases.stream().noneMatch(alias -> alias.making().isUnderWay());
        }

        /** Begins a change: what it mapped before ends if the change is executed. */
        void shows(RegionAlias next) {
            aliases.forEach(alias -> alias.closing(next.making()));
            aliases.add(next);
        }
    }

    /** A window of type 1. */
    static final class Window extends MappingKey<MemoryWindow> {
        Window(String name, Call making, Domain domain) {
            super(name, making, domain);
        }
    }

    /** An indirect key. */
    static final class Indirect extends MappingKey<IndirectKey> {
        Indirect(String name, Call making, Domain domain) {
            super(name, making, domain);
        }
    }
}
