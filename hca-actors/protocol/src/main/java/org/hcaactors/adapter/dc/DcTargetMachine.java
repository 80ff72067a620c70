// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.dc.DcIngress.Answered;
import org.hcaactors.adapter.dc.DcIngress.Disposition;
import org.hcaactors.adapter.dc.DcIngress.Dropped;
import org.hcaactors.adapter.dc.DcIngress.Opens;
import org.hcaactors.adapter.dc.DcIngress.Peer;
import org.hcaactors.adapter.dc.DcIngress.Served;
import org.hcaactors.adapter.dc.DcIngress.Unserved;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.mutation.MutationPoint;

/** State machine of a DC target: its states, the attributes of its responders, and its ingress. */
public final class DcTargetMachine {
    private final int number;
    private final DcTargetGrants attributes;
    private final Profile profile;

    @MutationPoint("dc-target-machine.port")
    private final LocalPort port;

    private final QpSettings settings;
    private final DcIngress ingress;
    private QpState state = QpState.RESET;
    private boolean made;
    private boolean failed;
    private DcTargetStatus.State life = DcTargetStatus.State.ACTIVE;
    private QpAttribute mtu = new QpAttribute.Mtu(PathMtu.BYTES_1024);
    private QpModify toInit = new QpModify(QpState.INIT, List.of());

    @MutationPoint("dc-target-machine.path")
    private GlobalRoute path = GlobalRoute.to(Gid.ofIpv4(0, 0, 0, 0));

    private boolean armed;

    public DcTargetMachine(
            int number, int domain, DcTargetGrants attributes, Profile profile, LocalPort port, ResponderPool pool) {
        this.number = number;
        this.attributes = attributes;
        this.profile = profile;
        this.port = port;
        settings = new QpSettings(number, domain, false);
        ingress = new DcIngress(attributes, pool);
    }

    public DcIngress ingress() {
        return ingress;
    }

    // rule dc-broken
    /** Returns the state: ERR if the target failed after RTR; before RTR the adapter has no object that could be in error. */
    public QpState state() {
        return made && failed ? QpState.ERR : state;
    }

    /** VerbsException (EINVAL) before RTR, as {@link #status} and {@link #arm}. */
    public QpSnapshot snapshot() {
        checkMade();
        return QpSnapshot.of(state())
                .withMaxDestRdAtomic(profile.dynamicallyConnected().maxRdAtomic())
                .withAttributes(settings.attributes(Optional.of(AddressVector.to(path))));
    }

    public DcTargetStatus status() {
        checkMade();
        return DcTargetStatus.of(life).withSessions(ingress.sessions()).withKeyViolations(ingress.violations());
    }

    // rule dc-target-attributes
    /** Applies a modify call; VerbsException (EINVAL), and no change, if it is not allowed. */
    public void modify(QpModify change) {
        Dc.TARGET.check(state(), change.target(), change.attributes(), profile, port);
        for (QpAttribute attribute : change.attributes()) {
            if (attribute instanceof QpAttribute.Av av) {
                path = DatagramPath.checked(av.address(), port);
            } else if (attribute instanceof QpAttribute.Mtu) {
                mtu = attribute;
            }
        }
        settings.apply(change.attributes());
        if (change.target() == QpState.INIT) {
            toInit = change;
        }
        state = change.target();
        made |= state == QpState.RTR;
    }

    // rule dc-broken
    /** Fails the target: it accepts no packet any more. Returns false if it had failed already. */
    public boolean fail() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    // rule dc-target-number
    private void checkMade() {
        if (!made) {
            throw VerbsException.invalid("the DC target is in " + state + "; modify it to RTR first");
        }
    }

    // rule dc-drain
    public void drain() {
        life = DcTargetStatus.State.DRAINING;
        ingress.drain();
    }

    /** Maximum time for which present peers are still served. */
    public long drainNanos() {
        return attributes.idleNanos();
    }

    // rule dc-target-events
    /** Requests an event for the next wrong access key. */
    public void arm() {
        checkMade();
        armed = true;
    }

    /** True once for each {@link #arm}. */
    public boolean reportsViolation() {
        boolean reports = armed;
        armed = false;
        return reports;
    }

    // rule qp-packet-filter
    /**
     * Determines the outcome of a packet.
     *
     * @param event event of its arrival, 0 if nothing is traced
     */
    public Disposition arrived(Packet packet, long event, long now) {
        Optional<Reason> refusal = refusal(packet);
        return refusal.isPresent() ? new Dropped(refusal.get()) : ingress.arrived(packet, event, now);
    }

    private Optional<Reason> refusal(Packet packet) {
        Optional<Reason> another = PacketMismatch.ofAnother(packet, TransportClass.DC);
        if (another.isPresent()) {
            return another;
        }
        if (packet.operation().isResponse()) {
            return Optional.of(PacketMismatch.OneWay.NO_REQUESTER);
        }
        // rule qp-pkey
        int own = port.pkey(settings.pkeyIndex);
        if (!PortAttributes.pkeysMatch(packet.bth().pkey(), own)) {
            return Optional.of(new PacketMismatch.Pkey(packet.bth().pkey(), own));
        }
        PortAddress source = packet.route().source();
        return source.isIpv4() == path.destination().isIpv4()
                ? Optional.empty()
                : Optional.of(new PacketMismatch.NotThePeer(source));
    }

    // rules event-connects, qp-pkey
    /** Returns the port counter that the outcome increments. */
    public static Optional<Counter> counted(Disposition fate) {
        return switch (fate) {
            case Served by -> Optional.empty();
            case Opens opening -> Optional.of(Counter.RX_DCT_CONNECT);
            case Answered with ->
                with.syndrome() == Syndrome.NAK_CONNECT ? Optional.of(Counter.TX_CNAK) : Optional.empty();
            case Dropped dropped ->
                dropped.reason() instanceof PacketMismatch.Pkey ? Optional.of(Counter.BAD_PKEY_CNTR) : Optional.empty();
            case Unserved none -> Optional.of(Counter.TX_DISCARD);
        };
    }

    /** Returns the session for the plan of a responder's queue pair. */
    public QpPlan.Session session(Opens opening) {
        return new QpPlan.Session(
                opening.by().sessionId(),
                opening.peer().channel(),
                attributes.version() | (attributes.fullHandshake() ? DcEth.FULL_HANDSHAKE : 0),
                DcIngress.DEAD_NANOS);
    }

    // rule dc-responder
    /** Returns the modify calls that bring a responder up. */
    @MutationPoint("dc-target-machine.bring-up")
    public List<QpModify> bringUp(Opens opening) {
        GlobalRoute back = back(opening.peer().source());
        return List.of(
                toInit,
                QpModify.to(
                        QpState.RTR,
                        new QpAttribute.Av(AddressVector.to(back)),
                        mtu,
                        new QpAttribute.DestinationQp(opening.peer().initiator()),
                        new QpAttribute.ReceivePsn(opening.firstPsn()),
                        new QpAttribute.MaxDestRdAtomic(
                                profile.dynamicallyConnected().maxRdAtomic()),
                        new QpAttribute.MinRnrTimer(settings.minRnrTimer)));
    }

    // rule dc-target-path
    /** Returns the target's own path, with the peer as destination. */
    private GlobalRoute back(PortAddress peer) {
        return GlobalRoute.to(new Gid(peer.high(), peer.low()))
                .withSourceGidIndex(path.sourceGidIndex())
                .withTrafficClass(path.trafficClass())
                .withFlowLabel(path.flowLabel())
                .withHopLimit(path.hopLimit());
    }

    // rules wire-dc-cnak, dc-key
    /** Returns the packet that the target answers by itself, without a responder. */
    public Packet answer(Packet request, Answered with) {
        Peer peer = Peer.of(request);
        Headers headers = Headers.answering(settings, port, back(peer.source()), peer.initiator());
        ExtendedHeader eth = new DcEth(attributes.version(), with.sessionId(), peer.channel(), number);
        return headers.withLeading(List.of(eth)).acknowledgement(request.psn(), with.syndrome(), 0);
    }
}
