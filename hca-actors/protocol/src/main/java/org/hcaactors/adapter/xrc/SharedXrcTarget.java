// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.function.Consumer;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.api.queue.XrcTarget;

/** An XRC target as shared by the processes that have its XRC domain open. Any thread. */
public interface SharedXrcTarget {
    int number();

    /**
     * Opens another handle; VerbsException (EINVAL) if the last handle has just been closed.
     *
     * @param events sink that receives the target's events, too
     * @param onClosed called when the handle is closed
     */
    XrcTarget open(EventSink events, Consumer<XrcTarget> onClosed);
}
