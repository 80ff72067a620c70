// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.fabric.packet.Packet;

/**
 * Admission of a peer's requests, before anything in them is checked, and the memory that an admitted request accesses.
 * {@link LocalMemory} itself admits every request, to the memory of the queue pair's own protection domain.
 */
public interface RequestAdmission {
    /** Returns why the next request in sequence is not admitted; empty if it is. */
    Optional<RequestRefused> refusal(Packet request, Turn turn);

    /** Returns the access to memory for the request that was admitted last. */
    LocalMemory memory();
}
