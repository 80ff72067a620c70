// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.start;

import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;

/** Connects two adapters, sends one message, and prints its status. */
public final class Program {
    private Program() {}

    public static void main(String[] arguments) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            HostProcess alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
            HostProcess bob = network.addAdapter("bob", Profile.CONNECTX_5).process("store");
            ProtectionDomain here = alice.open().allocatePd();
            ProtectionDomain there = bob.open().allocatePd();
            MemoryRegion from = network.await(here.register(alice.allocate(64), Access.LOCAL_WRITE));
            MemoryRegion into = network.await(there.register(bob.allocate(64), Access.LOCAL_WRITE));

            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(here, there));
            pair.remote().postReceive(Receive.of(1, into.slice(0, 64)));
            WorkCompletion done = network.await(pair.local().submit(Send.of(2, from.slice(0, 64))));
            System.out.println("sent: " + done.status());
        }
    }
}
