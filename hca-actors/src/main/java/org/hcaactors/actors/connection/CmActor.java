// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.CrashAware;
import org.hcaactors.actors.stage.CrashSupervisor;
import org.hcaactors.adapter.cm.CmAgent;
import org.hcaactors.adapter.cm.CmDevice;
import org.hcaactors.adapter.cm.CmEffect;
import org.hcaactors.adapter.cm.CmPackets;
import org.hcaactors.adapter.cm.CmTerms;
import org.hcaactors.adapter.cm.CmTimeouts;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.service.NumberDesk;
import org.hcaactors.adapter.stage.ExpectsReply;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.ActorTimer;
import org.jspecify.annotations.Nullable;

/**
 * Actor of communication management: passes datagrams of queue pair 1 and the programs' commands to the {@link CmAgent}, and its
 * effects to the fabric and to the programs. It contains no protocol rule.
 */
public final class CmActor implements CrashAware<CmActor.Command> {
    /** Commands of communication management. */
    public sealed interface Command {}

    /** Commands that are answered. */
    public sealed interface Verb extends Command, ExpectsReply {}

    /** EADDRINUSE if something listens there. */
    record Listen(ListenerHandle listener, Reply<Void> reply) implements Verb {}

    record Unlisten(ListenerHandle listener, Reply<Void> reply) implements Verb {}

    /** Asks a peer for a connection; answered by its reply. */
    record Connect(
            ConnectionHandle user,
            PortAddress to,
            long service,
            CmTerms terms,
            Octets privateData,
            Reply<ConnectReply> reply)
            implements Verb {
        @Override
        public String words() {
            return "Connect to " + to;
        }
    }

    /** The queue pair of the active end is in RTS. */
    record Ready(ConnectionHandle user, Reply<Void> reply) implements Verb {}

    // rule cm-first-message
    /** A message arrived at a queue pair that is in RTR. */
    public record FirstMessage(int qpNumber) implements Command {}

    /** The program prepares to accept a request. */
    record Accepting(ConnectionHandle user) implements Command {}

    /** Answered when the peer is ready. */
    record Accept(ConnectionHandle user, CmTerms terms, Octets privateData, Reply<Void> reply) implements Verb {}

    record Reject(ConnectionHandle user, RejectReason reason, Octets privateData, Reply<Void> reply) implements Verb {}

    /** The program has closed a connection. */
    record Disconnect(ConnectionHandle user, Octets privateData) implements Command {}

    // rule cm-services
    /** Answers requests for a number at a port; EADDRINUSE if something is served there. */
    record Serve(ServedPortHandle service, Reply<Void> reply) implements Verb {}

    record Unserve(ServedPortHandle service, Reply<Void> reply) implements Verb {}

    /** Asks a peer for the number that is served at a port. */
    public record Resolve(PortAddress to, long service, Octets privateData, Reply<ServiceReply> reply)
            implements Verb {}

    /** The program's end is gone; what it waits for fails with ECANCELED. */
    record Abandon(ConnectionHandle user) implements Command {}

    record Arrived(Packet[] batch, long[] traceIds, CmReceiver from) implements Command {}

    record Credit(int packets) implements Command {}

    /** Commands without parameters. */
    public enum Note implements Command {
        DUE,
        /** The adapter has failed or restarts: all connections end. */
        DEVICE_FAILED
    }

    private final Services adapter;
    private final NumberDesk numbers;
    private final CmSender sender;
    private final CmPackets packets;
    private final ActorTimer<Command> timer;
    private final long guid;
    private final int firstNumber;
    private final Map<Integer, Exchange> byCommId = new LinkedHashMap<>();
    private final Map<ConnectionHandle, Exchange> byUser = new LinkedHashMap<>();
    private final Map<Long, ListenerHandle> listeners = new LinkedHashMap<>();
    private final ServedPorts services;
    private final List<CmEffect> effects = new ArrayList<>();
    private CmAgent agent;
    private int restarts;

    /** Event that the effects of this turn follow from. */
    private long cause;

    private CmActor(
            ActorContext<Command> context,
            Endpoint endpoint,
            NumberDesk numbers,
            long guid,
            int firstNumber,
            Services adapter) {
        this.adapter = adapter;
        services = new ServedPorts(adapter.adapter());
        this.numbers = numbers;
        sender = new CmSender(endpoint);
        this.guid = guid;
        this.firstNumber = firstNumber;
        packets = new CmPackets(adapter.port());
        timer = new ActorTimer<>(context, Note.DUE);
        agent = agent();
    }

    /**
     * Creates the behavior.
     *
     * @param endpoint queue pair 1
     * @param numbers keeps numbers of queue pairs whose late packets may arrive
     * @param guid of the adapter
     * @param firstNumber offset of communication IDs from those of another adapter with that GUID
     */
    public static Behavior<Command> create(
            Endpoint endpoint, NumberDesk numbers, long guid, int firstNumber, Services services) {
        return CrashSupervisor.of(context -> new CmActor(context, endpoint, numbers, guid, firstNumber, services));
    }

    private CmAgent agent() {
        return new CmAgent(
                CmTimeouts.linux(adapter.packetLifetimeNanos()),
                CmDevice.of(guid, adapter.profile().port().ackDelayCode(), firstNumber, restarts),
                effects::add);
    }

    /** What it knew is gone, as if the adapter had restarted. */
    @Override
    public VerbsException crashed(Object message, Throwable crash) {
        deviceFailed();
        return new VerbsException(Errno.EIO, "communication management crashed", crash);
    }

    @Override
    public Behavior<Command> on(Command command) {
        cause = 0;
        agent.timeout(now());
        execute();
        switch (command) {
            case Listen listen -> listen(listen);
            case Unlisten unlisten -> unlisten(unlisten);
            case Connect connect -> connect(connect);
            case Ready ready -> ready(ready);
            case FirstMessage first -> agent.messageArrived(first.qpNumber, now());
            case Accepting accepting -> accepting(accepting.user);
            case Accept accept -> accept(accept);
            case Reject reject -> reject(reject);
            case Disconnect disconnect -> disconnect(disconnect);
            case Serve serve -> services.serve(serve, agent);
            case Unserve unserve -> services.unserve(unserve, agent);
            case Resolve resolve -> services.resolve(resolve, agent, now());
            case Abandon abandon -> abandon(abandon.user);
            case Arrived arrived -> arrived(arrived);
            case Credit credit -> sender.credit(credit.packets);
            case Note note -> note(note);
        }
        execute();
        sender.transmit(adapter);
        arm();
        return Behaviors.same();
    }

    /** A request that was decided may leave a deadline a minute away, for which nothing waits. */
    private void arm() {
        long next = agent.nextAction();
        if (next == ActorTimer.NEVER) {
            timer.disarm();
        } else {
            timer.arm(now(), next);
        }
    }

    private long now() {
        return adapter.clock().getAsLong();
    }

    private void note(Note note) {
        switch (note) {
            case DUE -> timer.fired();
            case DEVICE_FAILED -> deviceFailed();
        }
    }

    @Override
    public Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            timer.disarm();
            fail(new VerbsException(Errno.ECANCELED, "the adapter was closed"));
            return Behaviors.same();
        }
        return Behaviors.unhandled();
    }

    private void deviceFailed() {
        fail(new VerbsException(Errno.EIO, "adapter " + adapter.adapter() + " failed or restarted"));
        effects.clear();
        sender.clear();
        restarts++;
        agent = agent();
    }

    private void fail(VerbsException reason) {
        List<Exchange> all = List.copyOf(byCommId.values());
        byCommId.clear();
        byUser.clear();
        all.forEach(each -> {
            each.fail(reason);
            each.withdrawn();
            each.ended(ConnectionEnd.Cause.DEVICE_FAILED, Octets.NONE);
            numbers.release(each.qpNumber);
        });
        List<ListenerHandle> listening = List.copyOf(listeners.values());
        listeners.clear();
        listening.forEach(ListenerHandle::failed);
        services.fail(reason);
    }

    private void listen(Listen listen) {
        if (agent.listen(listen.listener.service(), listen.listener.backlog())) {
            listeners.put(listen.listener.service(), listen.listener);
            Reply.done(listen.reply);
        } else {
            listen.reply.fail(new VerbsException(
                    Errno.EADDRINUSE,
                    "another program listens at port " + IpService.port(listen.listener.service()) + " of adapter "
                            + adapter.adapter()));
        }
    }

    private void unlisten(Unlisten unlisten) {
        if (listeners.remove(unlisten.listener.service(), unlisten.listener)) {
            agent.unlisten(unlisten.listener.service(), now());
        }
        Reply.done(unlisten.reply);
    }

    private void connect(Connect connect) {
        Optional<Integer> commId =
                agent.connect(connect.to, connect.service, connect.terms, connect.privateData, now());
        if (commId.isEmpty()) {
            connect.reply.fail(new VerbsException(
                    Errno.ENOMEM, "adapter " + adapter.adapter() + " has as many connections as it can"));
            return;
        }
        Exchange made = new Exchange(commId.get(), connect.user, connect.to);
        made.reply = connect.reply;
        add(made, connect.user);
        uses(made, connect.terms);
        record(made, ConnectionStep.ASKED, 0);
    }

    private void add(Exchange made, ConnectionHandle user) {
        byCommId.put(made.commId, made);
        byUser.put(user, made);
    }

    private void uses(Exchange made, CmTerms terms) {
        made.qpNumber = terms.queuePair().number();
        numbers.hold(made.qpNumber);
    }

    /** Returns the connection that a program continues; null if it has ended. */
    private @Nullable Exchange continued(ConnectionHandle user) {
        Exchange known = byUser.get(user);
        cause = known == null ? 0 : known.lastEvent;
        return known;
    }

    private void ready(Ready ready) {
        Exchange known = continued(ready.user);
        if (known == null || !agent.ready(known.commId, Octets.NONE)) {
            ready.reply.fail(canceled("the peer has taken its reply back"));
            return;
        }
        known.established = ready.reply;
    }

    private void accepting(ConnectionHandle user) {
        Exchange known = byUser.get(user);
        if (known != null) {
            agent.accepting(known.commId);
        }
    }

    private void accept(Accept accept) {
        Exchange known = continued(accept.user);
        if (known == null || !agent.accept(known.commId, accept.terms, accept.privateData, now())) {
            accept.reply.fail(canceled("the peer has withdrawn its request"));
            return;
        }
        known.established = accept.reply;
        uses(known, accept.terms);
        record(known, ConnectionStep.ACCEPTED, 0);
    }

    private static ConnectionException canceled(String what) {
        return ConnectionException.failed(Errno.ECANCELED, what);
    }

    private void reject(Reject reject) {
        Exchange known = continued(reject.user);
        if (known != null && agent.reject(known.commId, reject.reason.code(), reject.privateData, now())) {
            record(known, ConnectionStep.REJECTED, reject.reason.code());
        }
        Reply.done(reject.reply);
    }

    private void disconnect(Disconnect disconnect) {
        Exchange known = continued(disconnect.user);
        if (known != null && agent.disconnect(known.commId, disconnect.privateData, now())) {
            record(known, ConnectionStep.DISCONNECTING, 0);
        }
    }

    // rule cm-abandon
    private void abandon(ConnectionHandle user) {
        Exchange known = byUser.remove(user);
        if (known != null) {
            known.fail(canceled("the connection was closed while it was made"));
            agent.abandon(known.commId, now());
        }
    }

    private void arrived(Arrived arrived) {
        arrived.from.handled(arrived.batch.length);
        for (int i = 0; i < arrived.batch.length; i++) {
            Packet packet = arrived.batch[i];
            cause = i < arrived.traceIds.length ? arrived.traceIds[i] : 0;
            CmCodec.decode(packet)
                    .ifPresent(datagram -> agent.arrived(packet.route().source(), datagram, now()));
            if (effects.removeIf(CmEffect.Dropped.class::isInstance)) {
                arrived.from.dropped(packet, cause, Ignored.Plainly.BACKLOG_FULL);
            }
            execute();
        }
    }

    /** Executes what the agent does. */
    private void execute() {
        List<CmEffect> all = List.copyOf(effects);
        effects.clear();
        all.forEach(this::execute);
    }

    private void execute(CmEffect effect) {
        switch (effect) {
            case CmEffect.Send send ->
                packets.of(send.from(), send.to(), send.datagram()).ifPresent(packet -> sender.add(packet, cause));
            case CmEffect.Counted counted -> adapter.counters().count(counted.counter());
            // A packet is needed, so the arrival does it.
            case CmEffect.Dropped dropped -> {}
            case CmEffect.Requested requested -> requested(requested);
            case CmEffect.OfConnection report -> {
                Exchange known = byCommId.get(report.commId());
                if (known != null) {
                    report(known, report);
                }
            }
            case CmEffect.ServiceRequested requested -> {
                services.requested(requested, agent);
                execute();
            }
            case CmEffect.ServiceAnswered answered -> services.answered(answered);
            case CmEffect.ServiceUnanswered unanswered -> services.unanswered(unanswered.requestId());
        }
    }

    private void requested(CmEffect.Requested requested) {
        ListenerHandle listener = listeners.get(requested.request().serviceId());
        if (listener != null) {
            ConnectionHandle user = listener.requested(requested);
            Exchange made = new Exchange(requested.commId(), user, requested.from());
            add(made, user);
            record(made, ConnectionStep.REQUESTED, 0);
        }
    }

    private void report(Exchange known, CmEffect.OfConnection report) {
        switch (report) {
            case CmEffect.Requested requested -> {}
            case CmEffect.Withdrawn withdrawn -> {
                record(known, ConnectionStep.WITHDRAWN, 0);
                known.withdrawn();
                over(known);
            }
            case CmEffect.Accepted accepted -> {
                record(known, ConnectionStep.REPLIED, 0);
                if (known.reply != null) {
                    known.reply.succeed(accepted.reply());
                    known.reply = null;
                }
            }
            case CmEffect.Established established -> {
                record(known, ConnectionStep.ESTABLISHED, 0);
                if (known.established != null) {
                    Reply.done(known.established);
                    known.established = null;
                }
            }
            case CmEffect.Rejected rejected -> rejected(known, rejected);
            case CmEffect.Unanswered unanswered -> {
                record(known, ConnectionStep.UNANSWERED, 0);
                known.fail(ConnectionException.failed(
                        Errno.ETIMEDOUT, "the peer at " + known.peer + " did not answer, however often it was asked"));
                over(known);
            }
            case CmEffect.Disconnected disconnected -> {
                record(known, disconnected.byPeer() ? ConnectionStep.CLOSED_BY_PEER : ConnectionStep.DISCONNECTED, 0);
                known.fail(canceled("the peer disconnected"));
                known.ended(
                        disconnected.byPeer() ? ConnectionEnd.Cause.CLOSED_BY_PEER : ConnectionEnd.Cause.CLOSED_HERE,
                        disconnected.privateData());
                over(known);
            }
            case CmEffect.Released released -> {
                byCommId.remove(known.commId);
                over(known);
                numbers.release(known.qpNumber);
            }
        }
    }

    private void rejected(Exchange known, CmEffect.Rejected rejected) {
        record(known, ConnectionStep.REJECTED_BY_PEER, rejected.reason());
        String why = RejectReason.of(rejected.reason()).map(RejectReason::text).orElse("a reason of its own");
        boolean waited = known.fail(ConnectionException.rejected(
                rejected.reason(),
                Addresses.buffer(rejected.privateData()),
                "the peer at " + known.peer + " rejected the connection with reason " + rejected.reason() + ": "
                        + why));
        if (!waited) {
            known.ended(ConnectionEnd.Cause.CLOSED_BY_PEER, rejected.privateData());
        }
        over(known);
    }

    /** The program's side can be collected while the connection is remembered. */
    private void over(Exchange ended) {
        ended.take().ifPresent(user -> byUser.remove(user, ended));
    }

    private void record(Exchange of, ConnectionStep step, int reason) {
        if (adapter.trace().enabled()) {
            cause = adapter.trace()
                    .record(
                            cause,
                            at -> new HcaEvent.ConnectionChanged(
                                    at,
                                    adapter.trace().port(),
                                    CmReceiver.ELEMENT,
                                    step,
                                    of.commId,
                                    of.peer,
                                    of.qpNumber,
                                    reason));
            of.lastEvent = cause;
        }
    }
}
