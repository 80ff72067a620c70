// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.dispatch.Envelope;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.fault.FaultTarget.MessageRule;
import org.jspecify.annotations.Nullable;

/**
 * Interceptor of every message between a world's actors, on its way into the mailbox. A rule may drop a message or hold it, so
 * the testkit can stall an actor or lose a notification without a hook in the actor.
 */
final class MessageInterceptor {
    /** Path of the network's guardian. Messages to other actors are not intercepted. */
    private static final String NETWORK = "/system/" + CrashTarget.NETWORK + "/";

    /** Address of one actor. */
    static final class Address {
        private final ActorPath path;
        /** The path below the network's guardian; empty if the actor is not below it. Computed only if a rule is active. */
        private @Nullable Optional<String> below;

        Address(ActorPath path) {
            this.path = path;
        }

        Optional<String> below() {
            if (below == null) {
                String whole = path.toStringWithoutAddress();
                below = whole.startsWith(NETWORK) ? Optional.of(whole.substring(NETWORK.length())) : Optional.empty();
            }
            return below;
        }
    }

    private record Held(ActorRef receiver, Envelope envelope, MessageRule rule) {}

    private final List<MessageRule> rules = new ArrayList<>(0);
    private final List<Held> held = new ArrayList<>(0);

    /** True if the message is to be delivered now. */
    boolean takes(ActorRef receiver, Address address, Envelope envelope) {
        if (rules.isEmpty() || address.below().isEmpty()) {
            return true;
        }
        for (MessageRule rule : List.copyOf(rules)) {
            switch (rule.judge(address.below().get(), envelope.message())) {
                case PASS -> {}
                case LOSE -> {
                    return false;
                }
                case HOLD -> {
                    held.add(new Held(receiver, envelope, rule));
                    return false;
                }
            }
        }
        return true;
    }

    void add(MessageRule rule) {
        rules.add(rule);
    }

    /** Removes the rule and delivers the messages that it holds. */
    void end(MessageRule rule) {
        rules.remove(rule);
        List<Held> free = held.stream().filter(each -> each.rule == rule).toList();
        held.removeAll(free);
        free.forEach(each -> each.receiver.tell(each.envelope.message(), each.envelope.sender()));
    }
}
