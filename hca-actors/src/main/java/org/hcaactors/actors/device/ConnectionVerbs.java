// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.actors.connection.Addresses;
import org.hcaactors.actors.connection.CmActor;
import org.hcaactors.actors.connection.ConnectionOpening;
import org.hcaactors.actors.connection.ListenerBlueprint;
import org.hcaactors.actors.connection.ListenerHandle;
import org.hcaactors.actors.connection.ServedPortHandle;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.cm.ServedNumber;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.RdmaException;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/** Verbs of a context that find peers by communication management. */
final class ConnectionVerbs {
    private final ContextHandle context;

    ConnectionVerbs(ContextHandle context) {
        this.context = context;
    }

    CompletionStage<ConnectionListener> listen(int port, int backlog) {
        return context.creating(
                OpenObjects.NO_DOMAIN,
                () -> context.make(new ListenerBlueprint(
                                context, context.localPort().address(), port, backlog))
                        .thenApply(listener -> context.track(listener, ObjectKind.LISTENER, OpenObjects.NO_DOMAIN))
                        .thenCompose(ConnectionVerbs::listening));
    }

    private static CompletionStage<ConnectionListener> listening(ListenerHandle made) {
        return made.listen()
                .<ConnectionListener>thenApply(done -> made)
                .exceptionallyCompose(refused -> made.destroy()
                        .handle((closed, failure) -> CompletableFuture.<ConnectionListener>failedStage(refused))
                        .thenCompose(Function.identity()));
    }

    /** @param timeout after which it gives up */
    CompletionStage<Connection> connect(
            InetSocketAddress to, ConnectionDescription description, Optional<Duration> timeout) {
        try {
            context.checkInService();
            PortAddress peer = Addresses.of(resolved(to));
            return new ConnectionOpening(
                            context, peer, to.getPort(), context.adapter().nextPort(), description)
                    .begin(timeout);
        } catch (RdmaException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    // rule cm-services
    CompletionStage<ServedPort> serve(int port, UdQueuePair queuePair, QKey qkey) {
        return serve(
                port,
                () -> new ServedNumber.Datagrams(
                        context.require(queuePair, UdQueuePair.class, "queue pair")
                                .number(),
                        qkey));
    }

    // rule cm-services
    CompletionStage<ServedPort> serve(int port, DcTarget target) {
        return serve(port, () -> {
            DcTarget own = context.require(target, DcTarget.class, "DC target");
            return new ServedNumber.DcTargetNumber(own.number(), own.accessKey());
        });
    }

    private CompletionStage<ServedPort> serve(int port, Supplier<ServedNumber> number) {
        return context.creating(OpenObjects.NO_DOMAIN, () -> {
            ListenerBlueprint.checkPort(port);
            InetSocketAddress address = Addresses.socket(context.localPort().address(), port);
            ServedPortHandle made = new ServedPortHandle(context, address, number.get());
            return made.serve().thenApply(done -> {
                context.open().add(made, ObjectKind.SERVED_PORT, OpenObjects.NO_DOMAIN);
                return made;
            });
        });
    }

    CompletionStage<DatagramAddress> datagrams(InetSocketAddress service) {
        return resolve(service, ServedNumber.datagramService(service.getPort()), ServedNumber::datagrams);
    }

    CompletionStage<DcTargetLocation> dcTarget(InetSocketAddress service) {
        return resolve(
                service,
                ServedNumber.dcService(service.getPort()),
                (peer, reply) -> ServedNumber.dcTarget(peer, reply)
                        .orElseThrow(() -> ConnectionException.failed(
                                Errno.ECONNREFUSED, "what the peer serves at the port is no DC target")));
    }

    private <T> CompletionStage<T> resolve(
            InetSocketAddress service, long id, BiFunction<Gid, ServiceReply, T> located) {
        try {
            context.checkInService();
            PortAddress peer = Addresses.of(resolved(service));
            PortAddress source = Addresses.sourceFor(peer, context.localPort());
            Octets data = new IpService(context.adapter().nextPort(), source, peer).with(Octets.NONE);
            return context.<ServiceReply>manage(reply -> new CmActor.Resolve(peer, id, data, reply))
                    .thenApply(reply -> located.apply(new Gid(peer.high(), peer.low()), reply));
        } catch (RdmaException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private InetAddress resolved(InetSocketAddress to) {
        InetAddress address = to.getAddress();
        if (address != null) {
            return address;
        }
        String name = to.getHostString();
        if (Gid.isAddress(name)) {
            return Gid.parse(name).toInetAddress();
        }
        return context.services()
                .network()
                .names()
                .apply(name)
                .orElseThrow(() -> ConnectionException.failed(
                        Errno.EHOSTUNREACH, "no adapter has the name " + name + ", and it resolves to no address"));
    }
}
