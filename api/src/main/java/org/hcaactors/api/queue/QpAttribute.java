// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.memory.AccessFlags;

/**
 * One attribute of a queue pair for {@code ibv_modify_qp}. The adapter checks which attributes a transition requires and
 * allows, and refuses a value out of range with EINVAL.
 *
 * <p>More will follow: a switch over them wants a default.
 *
 * <p>Immutable.
 */
public sealed interface QpAttribute {
    /** Index into the port's P_Key table. */
    record PkeyIndex(int index) implements QpAttribute {}

    /** Port number, from 1. */
    record Port(int number) implements QpAttribute {}

    /** Rights of the peer's requests: the remote rights of {@code qp_access_flags}. */
    record RemoteAccess(AccessFlags access) implements QpAttribute {}

    /** The path to the peer ({@code ah_attr}). */
    record Av(AddressVector address) implements QpAttribute {}

    record Mtu(PathMtu mtu) implements QpAttribute {}

    /** The peer's queue pair number, 24 bits. */
    record DestinationQp(int number) implements QpAttribute {}

    /** First PSN expected from the peer, 24 bits. */
    record ReceivePsn(int psn) implements QpAttribute {}

    /** First PSN sent, 24 bits. */
    record SendPsn(int psn) implements QpAttribute {}

    /** Maximum outstanding READs and atomics as responder. */
    record MaxDestRdAtomic(int count) implements QpAttribute {}

    /** Maximum outstanding READs and atomics as requester. */
    record MaxRdAtomic(int count) implements QpAttribute {}

    /** RNR NAK timer code, 0 to 31; 0 is the longest (655.36 ms). */
    record MinRnrTimer(int code) implements QpAttribute {}

    /** Local ACK timeout: 4.096 us x 2^code, 0 to 31; 0 is infinite. */
    record Timeout(int code) implements QpAttribute {}

    /** Retransmissions after a timeout or sequence error before RETRY_EXC_ERR, 0 to 7. */
    record RetryCount(int count) implements QpAttribute {}

    /** Retransmissions after an RNR NAK before RNR_RETRY_EXC_ERR, 0 to 7; 7 is infinite. */
    record RnrRetry(int count) implements QpAttribute {}

    /** State that the caller expects the queue pair to be in; only RTR, RTS, SQD and SQE are valid. */
    record CurrentState(QpState state) implements QpAttribute {}

    /** Raise SQ_DRAINED when the send queue has drained. */
    record NotifyWhenDrained(boolean requested) implements QpAttribute {}

    /** Q_Key of datagrams; valid on UD only. */
    record Qkey(QKey qkey) implements QpAttribute {
        public Qkey {
            Objects.requireNonNull(qkey, "qkey is null; the attribute requires a Q_Key");
        }
    }

    /** Path migration state. Path migration is not modelled: accepted where the transition table allows it, without effect. */
    record MigrationState(boolean armed) implements QpAttribute {}

    /** Alternate path. Path migration is not modelled: accepted where the transition table allows it, without effect. */
    record AlternatePath(AddressVector address) implements QpAttribute {}
}
