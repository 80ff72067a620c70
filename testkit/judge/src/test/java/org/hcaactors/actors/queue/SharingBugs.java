// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.WeakHashMap;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of objects that processes share over XRC. */
public final class SharingBugs {
    private static final Map<Object, OptionalInt> FIRST = new WeakHashMap<>();

    private SharingBugs() {}

    /** Looks keys up in the domain of the queue that was named first. */
    public static final class HasTheDomainOfTheFirst {
        @Advice.OnMethodExit
        static void exit(@Advice.This Object self, @Advice.Return(readOnly = false) OptionalInt domain) {
            domain = first(self, domain);
        }
    }

    public static synchronized OptionalInt first(Object self, OptionalInt domain) {
        OptionalInt before = FIRST.getOrDefault(self, OptionalInt.empty());
        if (domain.isEmpty() || before.isPresent()) {
            return domain.isEmpty() ? domain : before;
        }
        FIRST.put(self, domain);
        return domain;
    }

    /** Delivers completions to the completion queue of the queue that was named first. */
    public static final class CompletesWithTheFirst {
        @Advice.OnMethodEnter
        static void enter(
                @MarkedField("joined-queues.joined") Map<Integer, ?> joined,
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
