// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import org.hcaactors.fabric.packet.PortAddress;

/** Something that happens in the cluster of a node. Immutable. */
public sealed interface NodeEvent {
    /**
     * A member has another state.
     *
     * @param node host and port
     * @param state in words, such as {@code up}, {@code unreachable} or {@code removed}
     */
    record Member(String node, String state) implements NodeEvent {}

    /** An adapter of any node is known from now on, or has another address. */
    record AdapterFound(String adapter, PortAddress address) implements NodeEvent {}

    /** An adapter is not known any more. */
    record AdapterGone(String adapter) implements NodeEvent {}

    /** Returns it as a line for readers. */
    default String line() {
        return switch (this) {
            case Member(var node, var state) -> "member     " + node + " is " + state;
            case AdapterFound(var adapter, var address) -> "adapter    " + adapter + " at " + address;
            case AdapterGone(var adapter) -> "adapter    " + adapter + " is gone";
        };
    }
}
