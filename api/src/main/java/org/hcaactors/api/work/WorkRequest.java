// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;

/**
 * A work request for a send queue. The subinterfaces, one for each transport, show which queue pairs accept it.
 *
 * <p>More kinds of request will follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface WorkRequest permits RcWork, UcWork, UdWork {
    /** The caller's identifier, returned in the completion ({@code wr_id}). */
    long id();

    /** Local memory: source of SEND and WRITE, destination of READ and atomics. */
    List<LocalSlice> local();

    SendFlags flags();

    /** Length of local memory, the sum over {@link #local()}. */
    default long lengthBytes() {
        return LocalSlice.lengthBytes(local());
    }
}
