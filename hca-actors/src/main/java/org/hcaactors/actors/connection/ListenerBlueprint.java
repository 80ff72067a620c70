// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Blueprint of a listener.
 *
 * @param at address of the adapter
 * @param port 16 bits
 * @param backlog maximum number of undecided requests
 */
public record ListenerBlueprint(ConnectionOwner owner, PortAddress at, int port, int backlog)
        implements Blueprint<EventQueueActor.Command<ConnectionRequest>, ListenerHandle> {
    /** Maximum backlog: the connections of an adapter. */
    private static final int MAX_BACKLOG = 65_536;

    private static final int MAX_PORT = 65_535;

    /** @throws VerbsException EINVAL if a value is out of range */
    public ListenerBlueprint {
        checkPort(port);
        check("backlog", backlog, MAX_BACKLOG);
    }

    /** @throws VerbsException EINVAL unless it is 1 to 65,535 */
    public static void checkPort(int port) {
        check("port", port, MAX_PORT);
    }

    private static void check(String what, int value, int max) {
        if (value < 1 || value > max) {
            throw VerbsException.invalid("the " + what + " is " + value + "; 1 to " + max + " is allowed");
        }
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.LISTENER;
    }

    @Override
    public Behavior<EventQueueActor.Command<ConnectionRequest>> behavior(
            int number, Services services, Reply<ListenerHandle> reply) {
        // Communication management admits no more requests than the backlog, so none is dropped here.
        EventQueueActor.Plan<ConnectionRequest> plan = new EventQueueActor.Plan<>(
                "listener at port " + port, backlog, false, () -> {}, services.callers(), ConnectionRequest[]::new);
        InetSocketAddress address = Addresses.socket(at, port);
        return EventQueueActor.create(
                plan, sender -> reply.succeed(new ListenerHandle(owner, address, backlog, sender)));
    }
}
