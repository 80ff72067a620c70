// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of objects that processes share over XRC. */
public final class SharingBugs {
    private SharingBugs() {}

    /** Looks keys up in the domain of the queue that was named first. */
    public static final class HasTheDomainOfTheFirst {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("xrc-srq-attachments.among") XrcSrqLookup among,
                @MarkedField("xrc-srq-attachments.joined") Map<Integer, ?> joined,
                @Advice.Return(readOnly = false) OptionalInt domain) {
            if (domain.isPresent()) {
                Optional<SharedReceiveHandle> first =
                        among.find(joined.keySet().iterator().next());
                domain = first.isPresent() ? OptionalInt.of(first.get().domain()) : domain;
            }
        }
    }

    /** Messages complete where those complete that are for the queue which was named first. */
    public static final class CompletesWithTheFirst {
        @Advice.OnMethodEnter
        static void enter(
                @MarkedField("xrc-srq-attachments.joined") Map<Integer, ?> joined,
                @Advice.Argument(value = 0, readOnly = false) int number) {
            number = joined.keySet().iterator().next();
        }
    }

    public static final class TellsTheFirst {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<EventSink> sinks) {
            sinks = sinks.subList(0, 1);
        }
    }
}
