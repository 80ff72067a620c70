// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.adapter.stage.SubscriberCalls;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.link.Verdict;

/** A program's interceptor: closing its network in it would wait for it. */
record GuardedInterceptor(Interceptor interceptor, SubscriberCalls calls) implements Interceptor {
    /** None stays none, which costs nothing. */
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
