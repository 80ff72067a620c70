// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.Locale;

/** A mistake of a program that no status and no errno tells, and that a world does. New ones may come. */
public enum ProgramCheck {
    /** A program writes to what a request still sends, or what the adapter still writes to. */
    BUFFER_WRITTEN_EARLY(
            "a buffer is the adapter's from the posting until the program has taken the completion: wait for that,"
                    + " or write to another one; a deadline that passed does not give it back, flushing or destroying the queue pair does"),
    /** A program reads what the adapter may still write to. */
    BUFFER_READ_EARLY(
            "what a receive, a READ or an atomic brings is there when the program has taken its completion: read it then, and before it is posted again"),
    /** A program posts a buffer again that the adapter still writes to, or has it written to what is still sent. */
    BUFFER_POSTED_TWICE(
            "two requests that are under way need buffers of their own where the adapter writes to one of them"),
    /** A message was longer than the receive that it met, or no datagram fits into a receive. */
    RECEIVE_TOO_SMALL(
            "a receive takes any message that may come next: make each as long as the longest, and on UD 40 bytes longer"),
    /** Requests fail, and nobody ever takes a completion of their queue. */
    FAILURES_NOT_SEEN(
            "a request that fails ends in its completion queue, also where it is unsignaled: take the completions of each"
                    + " queue, or it fails unseen"),
    /** A send queue is full of requests of which none will give its slot back. */
    ONLY_UNSIGNALED(
            "an unsignaled request gives its slot back with a later one that is signaled: signal at least one in each length"
                    + " of the queue"),
    /** Messages found a shared receive queue empty whose limit was never armed. */
    LIMIT_NOT_ARMED(
            "arm the limit of a shared receive queue (armLimit), and post more when SRQ_LIMIT_REACHED comes: who waits until"
                    + " it is empty has its peers wait, or fail");

    private final String advice;

    ProgramCheck(String advice) {
        this.advice = advice;
    }

    /** How to do it right: a sentence. */
    public String advice() {
        return advice;
    }

    /** {@code buffer-written-early}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return word();
    }
}
