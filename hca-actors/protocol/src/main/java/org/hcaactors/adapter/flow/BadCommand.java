// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why none of the commands in a WRITE are executed (tunneled atomics). */
public sealed interface BadCommand extends Reason {
    /** The length is no multiple of 16 bytes, the size of a command. */
    record Length(long lengthBytes) implements BadCommand {}

    /** The commands exceed what a responder buffers until the last one has arrived. */
    record TooMany(long lengthBytes, int maxBytes) implements BadCommand {}

    /**
     * The command's header is not a valid one.
     *
     * @param number index of the command, from 0
     * @param head its first four bytes
     */
    record Unknown(int number, int head) implements BadCommand {}

    record Misaligned(int number, long address, int sizeBytes) implements BadCommand {}

    record Outside(int number, KeyDenied reason) implements BadCommand {}
}
