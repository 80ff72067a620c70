// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

/** What happens inside an adapter; the adapter's own module closes the set again. */
public non-sealed interface AdapterEvent extends TraceEvent {
    /** The port of the adapter it happened in. */
    String port();
}
