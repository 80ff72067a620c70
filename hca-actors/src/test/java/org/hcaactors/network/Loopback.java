// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;

/** A queue pair connected to another of the same adapter, on real threads; produces a given number of completions. */
final class Loopback {
    final RdmaNetwork network;
    final Adapter adapter;
    final DeviceContext context;
    final CompletionChannel channel;
    final CompletionQueue cq;
    final QpPair<RcQueuePair> pair;

    Loopback(RdmaNetwork network, Adapter adapter) {
        this.network = network;
        this.adapter = adapter;
        context = adapter.process("app").open();
        channel = network.await(context.createChannel());
        cq = network.await(context.createCq(CqDescription.of(1000).withChannel(channel)));
        ProtectionDomain domain = context.allocatePd();
        pair = network.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
    }

    static Adapter adapter(RdmaNetwork network, String name) {
        return network.addAdapter(name, Profile.CONNECTX_5);
    }

    /** Writes that many entries to the completion queue; returns after the last. */
    void complete(int entries) {
        for (int i = 0; i < entries; i++) {
            network.await(pair.local().submit(RdmaWrite.of(i, java.util.List.of(), new RemoteAddress(0, 0))));
            pair.local()
                    .post(RdmaWrite.of(i, java.util.List.of(), new RemoteAddress(0, 0))
                            .withSignaled());
        }
        network.await(pair.local().submit(RdmaWrite.of(-1, java.util.List.of(), new RemoteAddress(0, 0))));
    }

    /** Destroys the queue pairs and then the completion queue, whose streams complete. */
    void end() {
        pair.local()
                .destroy()
                .thenCompose(done -> pair.remote().destroy())
                .thenCompose(done -> cq.destroy())
                .thenCompose(done -> channel.destroy());
    }
}
