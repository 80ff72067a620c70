// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** A message that no actor of an adapter handles: its receiver throws and crashes. */
public record CrashCommand(CrashTarget victim) {
    /** Crashes the target when it handles this message; without effect if it does not exist. */
    public static void crash(ActorSystem<?> system, CrashTarget victim) {
        system.classicSystem()
                .actorSelection("/system/" + CrashTarget.NETWORK + "/" + victim.words())
                .tell(new CrashCommand(victim), ActorRef.noSender());
    }
}
