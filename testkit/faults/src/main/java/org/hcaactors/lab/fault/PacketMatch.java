// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.TransportClass;

/** The packets that a fault matches: those that meet every condition, for example {@code packet().ack().from(b)}. Immutable. */
public record PacketMatch(List<Condition> conditions) {
    public PacketMatch {
        conditions = List.copyOf(conditions);
    }

    /** Matches every packet; add conditions to it. */
    public static PacketMatch packet() {
        return new PacketMatch(List.of());
    }

    public PacketMatch and(Condition more) {
        List<Condition> all = new ArrayList<>(conditions);
        all.add(more);
        return new PacketMatch(all);
    }

    /** Matches positive acknowledgements, without READ and atomic responses. */
    public PacketMatch ack() {
        return and(new Condition.Says(Condition.Verdict.ACK));
    }

    public PacketMatch nak() {
        return and(new Condition.Says(Condition.Verdict.NAK));
    }

    public PacketMatch rnrNak() {
        return and(new Condition.Says(Condition.Verdict.RNR));
    }

    /** Matches messages of communication management, by which programs connect. */
    public PacketMatch cm() {
        return and(Condition.Cm.ANY);
    }

    /** Matches messages of communication management of these kinds. */
    public PacketMatch cm(CmAttribute... messages) {
        List<Condition> others = conditions.stream()
                .filter(each -> !each.equals(Condition.Cm.ANY))
                .toList();
        return new PacketMatch(others).and(new Condition.Cm(Set.of(messages)));
    }

    /** Matches requests for a connection. */
    public PacketMatch req() {
        return cm(CmAttribute.REQ);
    }

    /** Matches acceptances of a connection. */
    public PacketMatch rep() {
        return cm(CmAttribute.REP);
    }

    /** Matches messages that tell that the end that asked for a connection is ready. */
    public PacketMatch rtu() {
        return cm(CmAttribute.RTU);
    }

    /** Matches rejections of a connection. */
    public PacketMatch rej() {
        return cm(CmAttribute.REJ);
    }

    /** Matches requests to disconnect. */
    public PacketMatch dreq() {
        return cm(CmAttribute.DREQ);
    }

    /** Matches answers to requests to disconnect. */
    public PacketMatch drep() {
        return cm(CmAttribute.DREP);
    }

    public PacketMatch request() {
        return and(new Condition.Request(true));
    }

    public PacketMatch response() {
        return and(new Condition.Request(false));
    }

    public PacketMatch send() {
        return family(Operation.Family.SEND);
    }

    public PacketMatch write() {
        return family(Operation.Family.WRITE);
    }

    public PacketMatch readRequest() {
        return family(Operation.Family.READ);
    }

    public PacketMatch readResponse() {
        return family(Operation.Family.READ_RESPONSE);
    }

    public PacketMatch atomic() {
        return family(Operation.Family.ATOMIC);
    }

    public PacketMatch atomicResponse() {
        return family(Operation.Family.ATOMIC_ACKNOWLEDGE);
    }

    public PacketMatch family(Operation.Family... families) {
        return and(new Condition.FamilyIn(Set.of(families)));
    }

    public PacketMatch opcode(Opcode... opcodes) {
        return and(new Condition.OpcodeIn(Set.of(opcodes)));
    }

    /** Matches packets by their position in the message. */
    public PacketMatch place(Operation.Place... places) {
        return and(new Condition.PlaceIn(Set.of(places)));
    }

    public PacketMatch transport(TransportClass transport) {
        return and(new Condition.Transport(transport));
    }

    public PacketMatch psn(int psn) {
        return psn(psn, psn);
    }

    public PacketMatch psn(int first, int last) {
        return and(new Condition.PsnBetween(first, last));
    }

    public PacketMatch from(Adapter adapter) {
        return and(new Condition.From(adapter.name()));
    }

    public PacketMatch to(Adapter adapter) {
        return and(new Condition.To(adapter.name()));
    }

    /** @throws org.hcaactors.api.error.VerbsException EINVAL for a {@code DcTarget} that is not open and has no number yet */
    public PacketMatch from(QueuePairEndpoint end) {
        return and(new Condition.FromQp(end.number()));
    }

    /**
     * Matches packets to a queue pair or to an XRC or DC target.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL for a {@code DcTarget} that is not open
     */
    public PacketMatch to(QueuePairEndpoint end) {
        return and(new Condition.ToQp(end.number()));
    }

    /** Matches XRC requests to that shared receive queue (rule wire-xrc-header). */
    public PacketMatch srq(int number) {
        return and(new Condition.ToSrq(number));
    }

    /** Matches packets between these adapters and all others. */
    public PacketMatch across(Adapter... oneSide) {
        return and(new Condition.Across(
                Arrays.stream(oneSide).map(Adapter::name).collect(Collectors.toUnmodifiableSet())));
    }

    /** @param name in plans and in the trace */
    public PacketMatch where(String name, Predicate<? super PacketInTransit> test) {
        return and(new Condition.Where(name, test));
    }

    /** True if the packet meets every condition. */
    public boolean holds(PacketInTransit transit) {
        for (Condition condition : conditions) {
            if (!condition.holds(transit)) {
                return false;
            }
        }
        return true;
    }

    /** Returns {@code ACK from b}. */
    @Override
    public String toString() {
        return conditions.isEmpty()
                ? "packets"
                : conditions.stream().map(Condition::words).collect(Collectors.joining(" "));
    }
}
