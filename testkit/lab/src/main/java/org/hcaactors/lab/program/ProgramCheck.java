// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.Locale;

/** A mistake of a program that no status and no errno reports, but that a world detects. New ones may be added. */
public enum ProgramCheck {
    /** A program writes to a buffer that a request still sends, or that the adapter still writes to. */
    BUFFER_WRITTEN_EARLY(
            "the adapter owns a buffer from the posting until the program has taken the completion: wait for that,"
                    + " or use another buffer; an expired deadline does not return it, flushing or destroying the queue pair does"),
    /** A program reads a buffer that the adapter may still write to. */
    BUFFER_READ_EARLY(
            "the data of a receive, a READ or an atomic are valid when the program has taken its completion: read them then, and before the buffer is posted again"),
    /** A program posts a buffer that the adapter still writes to, or posts a buffer that is still sent to be written to. */
    BUFFER_POSTED_TWICE("two outstanding requests need different buffers if the adapter writes to one of them"),
    /** A message was longer than its receive, or a UD receive is too short for any datagram. */
    RECEIVE_TOO_SMALL(
            "a receive may match any message: make each as long as the longest message, and on UD 40 bytes longer"),
    /** Requests fail, and no completion of their queue is ever polled. */
    FAILURES_NOT_SEEN("a failed request has a completion even if it is unsignaled: take the completions of each"
            + " queue, or the program misses the failure"),
    /** A send queue is full of unsignaled requests, so no slot is ever returned. */
    ONLY_UNSIGNALED(
            "an unsignaled request frees its slot when a later signaled one completes: signal at least one request per length"
                    + " of the queue"),
    /** Messages found a shared receive queue empty whose limit was never armed. */
    LIMIT_NOT_ARMED(
            "arm the limit of a shared receive queue (armLimit), and post more when SRQ_LIMIT_REACHED is raised: if a program waits until"
                    + " it is empty, its peers wait or fail");

    private final String advice;

    ProgramCheck(String advice) {
        this.advice = advice;
    }

    /** Returns advice in one sentence. */
    public String advice() {
        return advice;
    }

    /** Returns the name: {@code buffer-written-early}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return word();
    }
}
