// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.List;
import org.hcaactors.adapter.atomic.AtomicOperands;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** Factory of the request packets of READs and atomics, which are answered with data. */
final class RequestPackets {
    private RequestPackets() {}

    // rules wire-fetch-add-operand, wire-masked-atomic, rc-read-resume
    /**
     * @param answered bytes of a READ that have arrived: only the rest is requested, so that a retry is a subset of the
     *     original request
     */
    static Packet of(Headers on, PostedRequest posted, int psn, long answered) {
        return switch (posted.work()) {
            case RdmaRead read -> {
                ExtendedHeader rest = new ExtendedHeader.Reth(
                        read.remote().address() + answered, read.remote().rkey(), (int)
                                (posted.lengthBytes() - answered));
                yield request(on, Operation.READ_REQUEST, psn, rest);
            }
            case CompareAndSwap swap -> {
                ExtendedHeader operands = new ExtendedHeader.AtomicEth(
                        swap.remote().address(), swap.remote().rkey(), swap.swap(), swap.compare());
                yield request(on, Operation.COMPARE_SWAP, psn, operands);
            }
            case FetchAdd add -> {
                ExtendedHeader operands = new ExtendedHeader.AtomicEth(
                        add.remote().address(), add.remote().rkey(), add.add(), 0);
                yield request(on, Operation.FETCH_ADD, psn, operands);
            }
            case MaskedCompareAndSwap swap ->
                masked(
                        on,
                        Operation.MASKED_COMPARE_SWAP,
                        psn,
                        swap.sizeBytes(),
                        swap.remote(),
                        AtomicOperands.of(swap));
            case MaskedFetchAdd add ->
                masked(on, Operation.MASKED_FETCH_ADD, psn, add.sizeBytes(), add.remote(), AtomicOperands.of(add));
            case Send send -> throw notRequested(send.id());
            case RdmaWrite write -> throw notRequested(write.id());
            case KeyWork work -> throw notRequested(work.id());
        };
    }

    private static Packet request(Headers on, Operation operation, int psn, ExtendedHeader header) {
        return on.packet(operation, psn, true, false, List.of(header), Octets.NONE);
    }

    private static Packet masked(
            Headers on, Operation operation, int psn, int sizeBytes, RemoteAddress remote, Octets operands) {
        List<ExtendedHeader> headers = List.of(
                AtomicOperands.size(sizeBytes, on.transport()),
                new ExtendedHeader.AtomicAddress(remote.address(), remote.rkey()));
        return on.packet(operation, psn, true, false, headers, operands);
    }

    private static IllegalArgumentException notRequested(long id) {
        return new IllegalArgumentException("the response to request " + id + " carries no data");
    }
}
