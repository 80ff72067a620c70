package org.hcaactors.api.completion;

import java.util.OptionalInt;

/**
 * One entry of a completion queue ({@code ibv_wc}).
 *
 * @param workId the number of the work request or receive
 * @param status on anything but SUCCESS only workId, status, qpNumber and vendorError are valid (ibv_poll_cq(3))
 * @param kind what completed; not valid on error
 * @param qpNumber the local queue pair
 * @param lengthBytes of receives, READs and atomics (8); 0 where ibv_poll_cq leaves it undefined
 * @param immediate present on receives of SEND and WRITE with immediate
 * @param vendorError the model's own detail, 0 if none
 */
public record WorkCompletion(
        long workId,
        Status status,
        CompletionKind kind,
        int qpNumber,
        long lengthBytes,
        OptionalInt immediate,
        int vendorError) {
    public boolean isSuccess() {
        return status == Status.SUCCESS;
    }
}
