// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Stamp;

/**
 * What the bench did to an adapter on purpose. What it did to a packet stands with the packet's own events.
 *
 * @param element what of the adapter it struck: {@code qp17}, {@code cq3}, {@code srq2}, {@code port} and {@code device} as events of the
 *     adapter have it, or {@code process app}, {@code firmware}, {@code connection pair}, or a key;
 *     {@code program mail} where a program did something that the adapter has no event of, and {@code verb create_cq} where its
 *     verb was refused
 * @param what the fault, or what the program does, in words
 */
public record TestkitEvent(Stamp stamp, String port, String element, String what) implements AdapterEvent {
    private static final String VERB = "verb ";

    /** The element of such a verb. */
    public static String ofVerb(String words) {
        return VERB + words;
    }

    /** A program's verb was refused. */
    public boolean isOfVerb() {
        return element.startsWith(VERB);
    }

    /** A program's own doing, no fault. */
    public boolean isOfProgram() {
        return element.startsWith("program ");
    }
}
