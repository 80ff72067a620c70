// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;

/**
 * Something to do on a send queue. The marker interfaces of the transports say which queue pairs carry it.
 *
 * <p>More will follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface WorkRequest permits RcWork, UcWork, UdWork {
    /** The caller's own number, given back in the completion. */
    long id();

    /** Local memory: gathered from by SEND and WRITE, scattered to by READ and atomics. */
    List<LocalSlice> local();

    SendFlags flags();

    /** Bytes of local memory, the sum over {@link #local()}. */
    default long lengthBytes() {
        return LocalSlice.lengthBytes(local());
    }
}
