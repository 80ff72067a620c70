// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** A request for pages of the host. */
public abstract sealed class PagingJob {
    private final PagedRange range;
    private final int key;
    private final long from;
    private final long count;
    private final boolean writable;

    /** Sequence of the range's invalidations when the pages were checked. */
    private long sampled;

    PagingJob(PagedRange range, int key, long from, long count, boolean writable) {
        // Huge pages are brought in as a whole (rule paging-huge).
        long inPage = range.isHuge() ? (1L << range.order()) - 1 : 0;
        this.range = range;
        this.key = key;
        this.from = from & ~inPage;
        long end = from + count + inPage & ~inPage;
        this.count = (end < 0 ? Long.MAX_VALUE : end) - this.from;
        this.writable = writable;
    }

    PagedRange range() {
        return range;
    }

    public int key() {
        return key;
    }

    public long from() {
        return from;
    }

    public long count() {
        return count;
    }

    boolean isWritable() {
        return writable;
    }

    long page() {
        return from >>> PageMap.PAGE_SHIFT;
    }

    long pages() {
        return (from + count - 1 >>> PageMap.PAGE_SHIFT) - page() + 1;
    }

    void sample(long sequence) {
        sampled = sequence;
    }

    boolean hasSeen(long sequence) {
        return sampled == sequence;
    }

    public abstract Arrival reason();

    /** A page fault, for a queue pair that waits. */
    public static final class Fault extends PagingJob {
        /**
         * Contents of the fault's event.
         *
         * @param departure event of the last invalidation of its pages, 0 if unknown
         */
        public record Raised(PagingCommand.Serve command, long departure) {}

        private final PagingCommand.Serve command;
        private final long event;
        private final long began;

        /**
         * @param event event of the fault, 0 if nothing is traced
         * @param began time when it was raised, in nanoseconds
         */
        Fault(PagingCommand.Serve command, long event, long began) {
            super(
                    command.of().range(),
                    command.of().key(),
                    command.fault().absence().from(),
                    command.fault().absence().count(),
                    command.of().isWritable());
            this.command = command;
            this.event = event;
            this.began = began;
        }

        long began() {
            return began;
        }

        public PagingCommand.Serve command() {
            return command;
        }

        public long event() {
            return event;
        }

        @Override
        public Arrival reason() {
            return Arrival.FAULT;
        }
    }

    /** A part of a prefetch, for later accesses. */
    static final class PrefetchPart extends PagingJob {
        private final Prefetching whole;

        PrefetchPart(PagingCommand.Piece piece, Prefetching whole) {
            super(piece.range(), piece.key(), piece.from(), piece.count(), whole.isWriting());
            this.whole = whole;
        }

        Prefetching whole() {
            return whole;
        }

        @Override
        public Arrival reason() {
            return Arrival.PREFETCH;
        }
    }

    /** A prefetch under way; it ends with the last of its parts. */
    public static final class Prefetching {
        private final PagingCommand.Prefetch prefetch;
        private final long event;
        private int remaining;
        private Optional<Denial> refusal = Optional.empty();

        Prefetching(PagingCommand.Prefetch prefetch, long event) {
            this.prefetch = prefetch;
            this.event = event;
            remaining = prefetch.pieces().size();
        }

        boolean isWriting() {
            return prefetch.writing();
        }

        boolean isResidentOnly() {
            return prefetch.residentOnly();
        }

        public PagingCommand.Prefetch command() {
            return prefetch;
        }

        public long event() {
            return event;
        }

        /** Ends a part; returns true if it was the last one. */
        boolean ends(Optional<Denial> reason) {
            refusal = refusal.or(() -> reason);
            return --remaining == 0;
        }

        Optional<Denial> refusal() {
            return refusal;
        }

        /** Answers a caller that waits for the end of the prefetch. */
        void answer(Optional<KeyDenied> refused, Consumer<Reply<Void>> succeeded) {
            if (prefetch.flush()) {
                refused.ifPresentOrElse(
                        reason -> prefetch.reply()
                                .fail(new VerbsException(Errno.EFAULT, "a prefetch: " + ReasonTexts.of(reason))),
                        () -> succeeded.accept(prefetch.reply()));
            }
        }

        KeyDenied denied(Denial reason) {
            return new KeyDenied(
                    KeyDenied.Name.KEY, prefetch.pieces().getFirst().key(), reason);
        }
    }
}
