// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why the commands that a WRITE carries are not carried out, none of them. */
public sealed interface BadCommand extends Reason {
    /** Commands have 16 bytes each. */
    record Length(long lengthBytes) implements BadCommand {}

    /** More than a responder holds back until the last one is there. */
    record TooMany(long lengthBytes, int maxBytes) implements BadCommand {}

    /**
     * @param number of the command, from 0
     * @param head its first four bytes
     */
    record Unknown(int number, int head) implements BadCommand {}

    record Misaligned(int number, long address, int sizeBytes) implements BadCommand {}

    record Outside(int number, KeyDenied reason) implements BadCommand {}
}
