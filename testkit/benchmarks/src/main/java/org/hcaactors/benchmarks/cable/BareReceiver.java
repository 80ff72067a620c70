// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actor that receives bare messages, and answers the last one of each group. */
final class BareReceiver {
    private BareReceiver() {}

    static Behavior<BareMessage> create() {
        return Behaviors.receive(BareMessage.class)
                .onMessage(BareMessage.Hello.class, hello -> answering(hello))
                .build();
    }

    private static Behavior<BareMessage> answering(BareMessage.Hello hello) {
        BareMessage.Done done = new BareMessage.Done();
        return Behaviors.receive(BareMessage.class)
                .onMessage(BareMessage.Bytes.class, bytes -> {
                    if (bytes.last()) {
                        hello.replyTo().tell(done);
                    }
                    return Behaviors.same();
                })
                .build();
    }
}
