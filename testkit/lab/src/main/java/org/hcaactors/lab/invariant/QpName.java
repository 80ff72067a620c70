// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;

/** A queue pair, or a shared receive queue, among all of a network. */
public record QpName(String port, Element who) {
    /** The queue pair of that number. */
    public static QpName of(String port, int number) {
        return new QpName(port, Element.queuePair(number));
    }

    /** Whom the event is about. */
    public static QpName of(HcaEvent event) {
        return new QpName(event.port(), event.who());
    }

    public int number() {
        return who.number();
    }

    @Override
    public String toString() {
        return port + "/" + who;
    }
}
