// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Stamp;

/**
 * An action of the testkit on an adapter, or of a program. Actions on packets are part of the packets' own events.
 *
 * @param element the part of the adapter: {@code qp17}, {@code cq3}, {@code srq2}, {@code port} and {@code device} as in the
 *     adapter's events, or {@code process app}, {@code firmware}, {@code connection pair}, or a key; {@code program mail} for
 *     an action of a program that is no adapter event, {@code verb create_cq} for a verb that a fault refused, and
 *     {@code call ibv_post_send} for a verb that the adapter refused, and {@code end of process 17} for a process of the system
 *     that crashed or was killed
 * @param what description of the fault or action
 */
public record TestkitEvent(Stamp stamp, String port, String element, String what) implements AdapterEvent {
    private static final String VERB = "verb ";
    private static final String CALL = "call ";
    private static final String END = "end of process ";

    /** Returns the element of a verb. */
    public static String ofVerb(String words) {
        return VERB + words;
    }

    /** Returns the element of a verb that the adapter refused. */
    public static String ofCall(String function) {
        return CALL + function;
    }

    /** Returns the element of a process of the system that did not come to its end. */
    public static String ofEnd(String process) {
        return END + process;
    }

    /** True if a process of the system crashed or was killed: later events of its adapter are not in the run. */
    public boolean isEnd() {
        return element.startsWith(END);
    }

    /** True if a verb of a program was refused, by a fault or by the adapter. */
    public boolean isRefusal() {
        return isOfVerb() || element.startsWith(CALL);
    }

    /** True if a fault refused a verb of a program. */
    public boolean isOfVerb() {
        return element.startsWith(VERB);
    }

    /** True if it is an action that a program reported. */
    public boolean isOfProgram() {
        return element.startsWith("program ");
    }
}
