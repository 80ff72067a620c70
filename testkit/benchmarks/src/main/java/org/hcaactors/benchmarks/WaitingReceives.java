// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.jspecify.annotations.Nullable;

/** Receives by tag in a program that matches by itself: a linked list, searched from its head. */
final class WaitingReceives {
    private final Waiting head = new Waiting(0, 0, -1);
    private Waiting tail = head;

    /** A receive. */
    static final class Waiting {
        final int number;
        private final long tag;
        private final long mask;
        private @Nullable Waiting next;

        Waiting(long tag, long mask, int number) {
            this.tag = tag;
            this.mask = mask;
            this.number = number;
        }
    }

    void append(Waiting receive) {
        receive.next = null;
        tail.next = receive;
        tail = receive;
    }

    /** Takes the first receive that matches the tag; throws IllegalStateException if none does. */
    Waiting take(long requested) {
        Waiting before = head;
        for (Waiting each = head.next; each != null; each = each.next) {
            if ((requested & each.mask) == each.tag) {
                before.next = each.next;
                if (each == tail) {
                    tail = before;
                }
                return each;
            }
            before = each;
        }
        throw new IllegalStateException("no receive is posted for tag " + requested);
    }
}
