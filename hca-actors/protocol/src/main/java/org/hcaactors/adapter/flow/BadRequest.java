// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why a requester can't execute a request of its own program. */
public sealed interface BadRequest extends Reason {
    /** The queue pair's max_rd_atomic is 0. */
    record NoReadsAllowed() implements BadRequest {}

    record AtomicLength(long lengthBytes) implements BadRequest {}

    record MaskedAtomicLength(long lengthBytes, int sizeBytes) implements BadRequest {}

    record MessageTooLong(long lengthBytes, long maxBytes) implements BadRequest {}

    record DatagramTooLong(long lengthBytes, int mtuBytes) implements BadRequest {}

    /** The port has no address of the IP version of the peer. */
    record NoSourceAddress() implements BadRequest {}

    /** The address handle belongs to another protection domain or adapter. */
    record ForeignPath() implements BadRequest {}
}
