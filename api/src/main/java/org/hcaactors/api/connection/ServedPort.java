// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.net.InetSocketAddress;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.UdQueuePair;

/**
 * A port at which peers find a queue pair for datagrams (service ID resolution, SIDR). Every request is answered. Closing it takes
 * the port away; the queue pair stays.
 *
 * <p>Threads: any. Limits: one at a port of an adapter.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ServedPort extends Handle {
    /** The adapter's first address, and the port. */
    InetSocketAddress address();

    /** The queue pair that peers find. */
    UdQueuePair queuePair();

    /** Its Q_Key, which peers receive. */
    QKey qkey();
}
