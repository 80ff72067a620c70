// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.adapter.stage.SubscriberCalls;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;

/** Interceptor of a program. Marks its calls, so that closing the network within one is refused: it would wait for itself. */
record GuardedInterceptor(Interceptor interceptor, SubscriberCalls calls) implements Interceptor {
    /** Returns {@link Interceptor#NONE} unchanged, which costs nothing. */
    static Interceptor of(Interceptor interceptor, SubscriberCalls calls) {
        return interceptor == NONE ? NONE : new GuardedInterceptor(interceptor, calls);
    }

    @Override
    public Verdict judge(PacketInTransit transit) {
        calls.begins();
        try {
            return interceptor.judge(transit);
        } finally {
            calls.ends();
        }
    }
}
