// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/** Datagrams by address handles, and to a multicast group that is joined and left. */
final class DatagramRound implements Round {
    private static final int QKEY = 0x1357_9BDF;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            UdQueuePair from = left.made(left.domain.createQp(left.described(QpDescription.ud())));
            UdQueuePair to = right.made(right.domain.createQp(right.described(QpDescription.ud())));
            environment.await(from.activate(QKey.of(QKEY)));
            environment.await(to.activate(QKey.of(QKEY)));
            for (int i = 0; i < 4; i++) {
                to.postReceive(Receive.of(i, right.slice(0, 1024 + UdQueuePair.GRH_BYTES)));
            }
            UdAddress address =
                    UdAddress.of(left.path(AddressVector.to(right.adapter.gid())), to.number(), QKey.of(QKEY));
            environment.succeeds(from.submit(
                    address, Send.of(1, left.slice(0, environment.random().nextInt(1024)))));
            environment.succeeds(
                    from.submit(address, Send.of(2, left.slice(0, 16)).withImmediate(3)));
            environment.await(to.attachMulticast(environment.group()));
            UdAddress everybody =
                    UdAddress.of(left.path(AddressVector.to(environment.group())), UdAddress.MULTICAST, QKey.of(QKEY));
            environment.succeeds(from.submit(everybody, Send.of(3, left.slice(0, 100))));
            if (environment.random().nextBoolean()) {
                environment.await(to.detachMulticast(environment.group()));
            } // else destroying it leaves the group
        }
    }
}
