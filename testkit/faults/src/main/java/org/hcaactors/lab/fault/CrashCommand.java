// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** No actor of an adapter understands it: whoever gets it throws, and crashes. */
public record CrashCommand(CrashTarget victim) {
    /** The victim crashes as soon as it comes to this message; nothing happens if it does not live. */
    public static void crash(ActorSystem<?> system, CrashTarget victim) {
        system.classicSystem()
                .actorSelection("/system/" + CrashTarget.NETWORK + "/" + victim.words())
                .tell(new CrashCommand(victim), ActorRef.noSender());
    }
}
