// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.jspecify.annotations.Nullable;

/** A queue pair or shared receive queue, unique within a network. */
public record QpName(String port, Element element) {
    /** Returns the name of the queue pair of that number. */
    public static QpName of(String port, int number) {
        return new QpName(port, Element.queuePair(number));
    }

    /** Returns the name of the object that the event is about. */
    public static QpName of(HcaEvent event) {
        return new QpName(event.port(), event.element());
    }

    public int number() {
        return element.number();
    }

    /** Compares the number first, as it differs most often: every invariant looks up by this key, at nearly every event. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpName that && element.equals(that.element) && port.equals(that.port);
    }

    @Override
    public int hashCode() {
        return 31 * port.hashCode() + element.hashCode();
    }

    @Override
    public String toString() {
        return port + "/" + element;
    }
}
