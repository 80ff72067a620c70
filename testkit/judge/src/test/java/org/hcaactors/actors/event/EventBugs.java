// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import net.bytebuddy.asm.Advice;

/** What the methods of this room do wrong while a bug is planted. */
public final class EventBugs {
    private EventBugs() {}

    /** As if nobody could be closing the channel at that moment. */
    public static final class UsesAClosedChannel {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This CompletionChannelHandle channel) {
            channel.door().actor().tell(new EventQueueActor.Users<>(1));
            return true;
        }
    }
}
