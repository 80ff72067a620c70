// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.stage.Door;
import org.hcaactors.api.completion.CompletionQueue;

/** What the methods of this room do wrong while a bug is planted. */
public final class EventBugs {
    private EventBugs() {}

    /** As if nobody could be closing the channel at that moment. */
    public static final class UsesAClosedChannel {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("door") Door<EventQueueActor.Command<CompletionQueue>> door) {
            door.actor().tell(new EventQueueActor.Users<>(1));
            return true;
        }
    }
}
