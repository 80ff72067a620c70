// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.function.Consumer;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.api.queue.XrcTarget;

/** What is asked, as those share it who have its XRC domain open. Any thread. */
public interface SharedXrcTarget {
    int number();

    /**
     * One more handle; VerbsException (EINVAL) where the last has just been given up.
     *
     * @param events who is told of its events, too
     * @param gone called when the handle is given up
     */
    XrcTarget open(EventSink events, Consumer<XrcTarget> gone);
}
