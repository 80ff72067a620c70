package org.hcaactors.api.completion;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One entry of a completion queue ({@code ibv_wc}; rule completion-length).
 *
 * @param workId the number of the work request or receive
 * @param status on anything but SUCCESS only workId, status, qpNumber and vendorError are valid (ibv_poll_cq(3))
 * @param kind what completed; not valid on error
 * @param qpNumber the local queue pair
 * @param lengthBytes of receives (for datagrams with the 40 bytes of the address), READs and atomics (8); 0 where
 *     ibv_poll_cq leaves it undefined
 * @param details what few completions have
 */
public record WorkCompletion(
        long workId, Status status, CompletionKind kind, int qpNumber, long lengthBytes, Details details) {
    /**
     * What few completions have; apart, so that the many stay small.
     *
     * @param immediate of a SEND or WRITE with immediate
     * @param vendorError the model's own detail, 0 if none
     * @param datagram of what a datagram queue pair received
     * @param timestampTicks when the completion was written, in ticks of the adapter's clock, from a queue that asked for it
     */
    public record Details(
            OptionalInt immediate, int vendorError, Optional<Datagram> datagram, OptionalLong timestampTicks) {
        public static final Details NONE = new Details(OptionalInt.empty(), 0, Optional.empty(), OptionalLong.empty());

        public static Details of(OptionalInt immediate) {
            return immediate.isEmpty() ? NONE : new Details(immediate, 0, Optional.empty(), OptionalLong.empty());
        }
    }

    /** One with no more detail than an immediate, or none. */
    public static WorkCompletion of(
            long workId, Status status, CompletionKind kind, int qpNumber, long lengthBytes, OptionalInt immediate) {
        return new WorkCompletion(workId, status, kind, qpNumber, lengthBytes, Details.of(immediate));
    }

    public boolean isSuccess() {
        return status == Status.SUCCESS;
    }

    /** Present on receives of SEND and WRITE with immediate. */
    public OptionalInt immediate() {
        return details.immediate;
    }

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

    public WorkCompletion at(long ticks) {
        Details stamped = new Details(details.immediate, details.vendorError, details.datagram, OptionalLong.of(ticks));
        return new WorkCompletion(workId, status, kind, qpNumber, lengthBytes, stamped);
    }
}
