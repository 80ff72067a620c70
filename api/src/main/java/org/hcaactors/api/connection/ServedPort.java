// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.net.InetSocketAddress;
import org.hcaactors.api.handle.Handle;

/**
 * A port at which peers find a queue pair for datagrams or a DC target (service ID resolution, SIDR). Every request is answered, with
 * the numbers that were true when it began. Closing it takes the port away; what it names stays.
 *
 * <p>Threads: any. Limits: one of each kind at a port of an adapter.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ServedPort extends Handle {
    /** The adapter's first address, and the port. */
    InetSocketAddress address();
}
