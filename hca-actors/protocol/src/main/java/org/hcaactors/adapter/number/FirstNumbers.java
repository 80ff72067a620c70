// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import java.util.random.RandomGenerator;

/**
 * First numbers of an adapter. A restarted adapter should use other ones: packets for its predecessor may still be on their
 * way, and peers may still hold its keys and its connections.
 *
 * @param queuePair number of the first queue pair, {@value #MIN_QUEUE_PAIR} to {@value #MAX_QUEUE_PAIR}
 * @param key first memory key: an index of at least {@value #MIN_INDEX} in the upper 24 bits, a variant in the low 8
 * @param communication distance of the first communication ID from that of another adapter with the same GUID
 */
public record FirstNumbers(int queuePair, int key, int communication) {
    /** 0 and 1 are the special queue pairs of a port (IBA 3.5.10; rule event-numbers-reserved). */
    public static final int MIN_QUEUE_PAIR = 2;

    /** 0xFFFFFF denotes a multicast group. */
    public static final int MAX_QUEUE_PAIR = 0xFF_FFFE;

    /** Key 0x100 and lower ones are never valid (rule memory-key-layout). */
    public static final int MIN_INDEX = 2;

    public static final int MAX_INDEX = 0xFF_FFFF;

    public FirstNumbers {
        if (queuePair < MIN_QUEUE_PAIR || queuePair > MAX_QUEUE_PAIR || key >>> Byte.SIZE < MIN_INDEX) {
            throw new IllegalArgumentException(
                    "the first queue pair number is " + queuePair + " and the first key 0x%08x; ".formatted(key)
                            + MIN_QUEUE_PAIR + " to " + MAX_QUEUE_PAIR + " and an index of at least " + MIN_INDEX
                            + " are allowed");
        }
    }

    /** Creates the numbers of an adapter that has no predecessor with the same GUID. */
    public FirstNumbers(int queuePair, int key) {
        this(queuePair, key, 0);
    }

    /** Draws random first numbers. */
    public static FirstNumbers drawn(RandomGenerator random) {
        return new FirstNumbers(
                random.nextInt(MIN_QUEUE_PAIR, MAX_QUEUE_PAIR + 1),
                random.nextInt(MIN_INDEX, MAX_INDEX + 1) << Byte.SIZE | random.nextInt(1 << Byte.SIZE),
                random.nextInt());
    }
}
