// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

/** An event of a trace. The ladder, the capture, counters and assertions are views of the same events. */
public sealed interface TraceEvent permits FabricEvent, AdapterEvent {
    Stamp stamp();

    /** Returns the name of the port where it happened; in an adapter, that of the adapter. */
    String port();
}
