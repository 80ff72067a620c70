// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.RdmaException;

/**
 * Thrown if firmware settings cannot be changed: every reason, with what was wrong and what is allowed.
 *
 * <p>Threads: any. Limits: none.
 */
public final class FirmwareException extends RdmaException {
    private static final long serialVersionUID = 1L;

    // serializable: List.copyOf and every refusal are
    private final List<FirmwareRefusal> refusals;

    public FirmwareException(List<? extends FirmwareRefusal> refusals) {
        super(refusals.stream().map(FirmwareRefusal::message).collect(Collectors.joining("; ")));
        this.refusals = List.copyOf(refusals);
    }

    public FirmwareException(FirmwareRefusal refusal, Throwable cause) {
        super(refusal.message(), cause);
        this.refusals = List.of(refusal);
    }

    /** Returns empty: {@code mstconfig} prints a message and returns no errno. */
    @Override
    public Optional<Errno> findErrno() {
        return Optional.empty();
    }

    /** Returns at least one refusal, in the order of the request. */
    public List<FirmwareRefusal> refusals() {
        return refusals;
    }
}
