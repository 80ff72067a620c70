// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.RemoteAddress;

/** The passive end of a reliable connection, with memory, in this JVM or another one. */
interface FarMemory {
    /** Returns a place of its memory, under a key with every right. */
    RemoteAddress remote(long offset);

    /** Returns the first byte of its memory under a key without remote rights. */
    RemoteAddress guarded();

    long readLong(long offset);

    void writeLong(long offset, long value);

    void postReceive(long workId, long offset, int bytes);

    /** Returns all completions of receives since the last call, once there is one. */
    List<Received> received();

    /** The part of a receive's completion that is compared. */
    record Received(long workId, Status status) {}
}
