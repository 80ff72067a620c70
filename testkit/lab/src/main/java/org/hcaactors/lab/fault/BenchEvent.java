// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Stamp;

/**
 * What the bench did to an adapter on purpose. What it did to a packet stands with the packet's own events.
 *
 * @param element what of the adapter it struck: {@code qp17}, {@code cq3}, {@code srq2}, {@code process app}, a key, or
 *     {@code port}, {@code device}
 * @param what the fault in words
 */
public record BenchEvent(Stamp stamp, String port, String element, String what) implements AdapterEvent {
    /** What raised this event, as the bench names what it strikes. */
    public static String elementOf(AsyncEvent event) {
        return switch (event.kind().source()) {
            case DEVICE -> "device";
            case PORT -> "port";
            case QUEUE_PAIR -> "qp" + event.element();
            case COMPLETION_QUEUE -> "cq" + event.element();
            case SHARED_RECEIVE_QUEUE -> "srq" + event.element();
        };
    }
}
