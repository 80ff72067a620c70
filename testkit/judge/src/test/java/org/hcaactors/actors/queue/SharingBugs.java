// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.flow.EventSink;

/** Advice for planted bugs of objects that processes share over XRC. */
public final class SharingBugs {
    private SharingBugs() {}

    public static final class TellsTheFirst {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<EventSink> sinks) {
            sinks = sinks.subList(0, 1);
        }
    }
}
