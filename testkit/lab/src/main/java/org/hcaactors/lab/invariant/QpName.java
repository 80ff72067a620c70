// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.jspecify.annotations.Nullable;

/** A queue pair, or a shared receive queue, among all of a network. */
public record QpName(String port, Element element) {
    /** The queue pair of that number. */
    public static QpName of(String port, int number) {
        return new QpName(port, Element.queuePair(number));
    }

    /** Whom the event is about. */
    public static QpName of(HcaEvent event) {
        return new QpName(event.port(), event.element());
    }

    public int number() {
        return element.number();
    }

    /** The number first, which differs most often: every checker looks up by this, at nearly every event. */
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
