// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.AccessFlags;

/**
 * One attribute of a queue pair, as {@code ibv_modify_qp} takes it. Which ones a transition requires and allows is the
 * adapter's to judge; a value out of range is refused with EINVAL there.
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

    /** What requests from the peer may do: the remote rights of {@code qp_access_flags}. */
    record RemoteAccess(AccessFlags rights) implements QpAttribute {}

    /** The path to the peer ({@code ah_attr}). */
    record Av(AddressVector address) implements QpAttribute {}

    record Mtu(PathMtu mtu) implements QpAttribute {}

    /** The peer's queue pair number, 24 bits. */
    record DestinationQp(int number) implements QpAttribute {}

    /** First PSN expected from the peer, 24 bits. */
    record ReceivePsn(int psn) implements QpAttribute {}

    /** First PSN sent, 24 bits. */
    record SendPsn(int psn) implements QpAttribute {}

    /** READs and atomics from the peer that may be outstanding here. */
    record MaxDestRdAtomic(int count) implements QpAttribute {}

    /** READs and atomics that may be outstanding at the peer. */
    record MaxRdAtomic(int count) implements QpAttribute {}

    /** RNR NAK timer code, 0 to 31; 0 is the longest (655.36 ms). */
    record MinRnrTimer(int code) implements QpAttribute {}

    /** Local ACK timeout: 4.096 us x 2^code, 0 to 31; 0 waits for ever. */
    record Timeout(int code) implements QpAttribute {}

    /** Retransmissions after time-out or sequence error before RETRY_EXC_ERR, 0 to 7. */
    record RetryCount(int count) implements QpAttribute {}

    /** Retransmissions after RNR NAK before RNR_RETRY_EXC_ERR, 0 to 7; 7 is for ever. */
    record RnrRetry(int count) implements QpAttribute {}

    /** What the caller believes the state to be; only RTR, RTS, SQD and SQE may be named. */
    record CurrentState(QpState state) implements QpAttribute {}

    /** Raise SQ_DRAINED once the send queue has drained. */
    record NotifyWhenDrained(boolean requested) implements QpAttribute {}

    /** Queue key of datagrams; legal on UD only. */
    record Qkey(int key) implements QpAttribute {}

    /** Path migration state. Path migration is not modelled: legal where the table says so, and without effect. */
    record MigrationState(boolean armed) implements QpAttribute {}

    /** An alternate path. Path migration is not modelled: legal where the table says so, and without effect. */
    record AlternatePath(AddressVector address) implements QpAttribute {}
}
