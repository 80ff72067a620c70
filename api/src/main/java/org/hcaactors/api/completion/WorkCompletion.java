// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a completion queue ({@code ibv_wc}; rule completion-length).
 *
 * <p>Immutable.
 *
 * @param workId identifier of the work request or receive ({@code wr_id})
 * @param status on anything but SUCCESS only workId, status, qpNumber and vendorError are valid (ibv_poll_cq(3))
 * @param kind kind of the completed operation; invalid on error
 * @param qpNumber number of the local queue pair
 * @param lengthBytes length of receives (for datagrams including the 40 bytes of the GRH), READs and atomics; 0 where
 *     ibv_poll_cq leaves it undefined
 * @param details fields that few completions have
 */
public record WorkCompletion(
        long workId, Status status, CompletionKind kind, int qpNumber, long lengthBytes, Details details) {
    /**
     * Fields that few completions have; separate, so that the others stay small. Immutable, starting from {@link #NONE}; it
     * will grow.
     */
    public static final class Details {
        private static final int GRH = 1;
        private static final int WITH_IMM = 1 << 1;
        private static final int WITH_INV = 1 << 3;
        private static final int TM_SYNC_REQ = 1 << 4;
        private static final int TM_MATCH = 1 << 5;
        private static final int TM_DATA_VALID = 1 << 6;

        public static final Details NONE = new Details(
                OptionalInt.empty(), 0, Optional.empty(), OptionalLong.empty(), OptionalInt.empty(), Optional.empty());

        private final OptionalInt immediate;
        private final int vendorError;
        private final Optional<Datagram> datagram;
        private final OptionalLong timestampTicks;
        private final OptionalInt invalidated;
        private final Optional<TagInfo> tagging;

        private Details(
                OptionalInt immediate,
                int vendorError,
                Optional<Datagram> datagram,
                OptionalLong timestampTicks,
                OptionalInt invalidated,
                Optional<TagInfo> tagging) {
            this.immediate = immediate;
            this.vendorError = vendorError;
            this.datagram = datagram;
            this.timestampTicks = timestampTicks;
            this.invalidated = invalidated;
            this.tagging = tagging;
        }

        /** Immediate data only, or nothing. */
        public static Details of(OptionalInt immediate) {
            return immediate.isEmpty()
                    ? NONE
                    : new Details(
                            immediate,
                            0,
                            Optional.empty(),
                            OptionalLong.empty(),
                            OptionalInt.empty(),
                            Optional.empty());
        }

        /** Sets the model-specific error code; 0: none. */
        public Details withVendorError(int code) {
            return new Details(immediate, code, datagram, timestampTicks, invalidated, tagging);
        }

        /** Sets the fields of a received datagram. */
        public Details with(Datagram received) {
            return new Details(immediate, vendorError, Optional.of(received), timestampTicks, invalidated, tagging);
        }

        /** Sets the timestamp, in ticks of the adapter's clock. */
        public Details withTimestampTicks(long ticks) {
            return new Details(immediate, vendorError, datagram, OptionalLong.of(ticks), invalidated, tagging);
        }

        /** Sets the key of this adapter that the message invalidated. */
        public Details withInvalidated(int rkey) {
            return new Details(immediate, vendorError, datagram, timestampTicks, OptionalInt.of(rkey), tagging);
        }

        /** Sets the fields of a tag-matching queue. */
        public Details with(TagInfo info) {
            return new Details(immediate, vendorError, datagram, timestampTicks, invalidated, Optional.of(info));
        }

        private int flags() {
            return (datagram.isPresent() && datagram.get().globalRoute() ? GRH : 0)
                    | (immediate.isPresent() ? WITH_IMM : 0)
                    | (invalidated.isPresent() ? WITH_INV : 0)
                    | (tagging.isPresent() ? flags(tagging.get()) : 0);
        }

        private static int flags(TagInfo info) {
            return (info.syncRequested() ? TM_SYNC_REQ : 0)
                    | (info.matched() ? TM_MATCH : 0)
                    | (info.dataValid() ? TM_DATA_VALID : 0);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Details details
                    && immediate.equals(details.immediate)
                    && vendorError == details.vendorError
                    && datagram.equals(details.datagram)
                    && timestampTicks.equals(details.timestampTicks)
                    && invalidated.equals(details.invalidated)
                    && tagging.equals(details.tagging);
        }

        @Override
        public int hashCode() {
            return Objects.hash(immediate, vendorError, datagram, timestampTicks, invalidated, tagging);
        }

        @Override
        public String toString() {
            return "Details[immediate=%s, vendorError=%d, datagram=%s, timestampTicks=%s, invalidated=%s, tagging=%s]"
                    .formatted(immediate, vendorError, datagram, timestampTicks, invalidated, tagging);
        }
    }

    /** A completion with immediate data or without details. */
    public static WorkCompletion of(
            long workId, Status status, CompletionKind kind, int qpNumber, long lengthBytes, OptionalInt immediate) {
        return new WorkCompletion(workId, status, kind, qpNumber, lengthBytes, Details.of(immediate));
    }

    public boolean isSuccess() {
        return status == Status.SUCCESS;
    }

    // rule completion-flags
    /**
     * The flags of {@code ibv_wc_flags} for what is present: 1 {@code IBV_WC_GRH}, 2 {@code IBV_WC_WITH_IMM}, 8 {@code
     * IBV_WC_WITH_INV}, 16 {@code IBV_WC_TM_SYNC_REQ}, 32 {@code IBV_WC_TM_MATCH}, 64 {@code IBV_WC_TM_DATA_VALID}.
     */
    public int flags() {
        return details == Details.NONE ? 0 : details.flags();
    }

    /** Immediate data; present on receives of SEND and WRITE with immediate. */
    public OptionalInt immediate() {
        return details.immediate;
    }

    /** Invalidated key; present on receives of a SEND with invalidate ({@code IBV_WC_WITH_INV}). */
    public OptionalInt invalidated() {
        return details.invalidated;
    }

    /** Model-specific error code; 0 if none. */
    public int vendorError() {
        return details.vendorError;
    }

    /** Present on receives of a datagram queue pair. */
    public Optional<Datagram> datagram() {
        return details.datagram;
    }

    /** Present on completions of a queue that was created with timestamps. */
    public OptionalLong timestampTicks() {
        return details.timestampTicks;
    }

    /** Present on completions of a tag-matching queue. */
    public Optional<TagInfo> tagging() {
        return details.tagging;
    }

    public WorkCompletion withTimestampTicks(long ticks) {
        return new WorkCompletion(workId, status, kind, qpNumber, lengthBytes, details.withTimestampTicks(ticks));
    }
}
