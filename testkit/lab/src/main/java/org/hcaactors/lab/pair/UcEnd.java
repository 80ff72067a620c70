// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/** One end of an unreliable connection. */
public record UcEnd(Side side, UcQueuePair qp) implements End {
    /** Returns the attributes that an unreliable connection has, too. */
    public static UcConnection termsOf(RcConnection attributes) {
        return UcConnection.DEFAULT
                .withMtu(attributes.mtu())
                .withRemoteAccess(attributes.remoteAccess())
                .withSendPsn(attributes.sendPsn())
                .withReceivePsn(attributes.receivePsn());
    }

    /** Creates both queue pairs and connects them; {@code attributes} are those of the first. */
    public static Ends<UcEnd> connect(RdmaNetwork network, Half a, Half b, UcConnection attributes) {
        QpPair<UcQueuePair> pair = network.await(QpPair.connectUc(
                a.domain(), a.describe(QpDescription.uc()), b.domain(), b.describe(QpDescription.uc()), attributes));
        return new Ends<>(new UcEnd(a.side(), pair.local()), new UcEnd(b.side(), pair.remote()));
    }

    @Override
    public Transport transport() {
        return Transport.UC;
    }

    @Override
    public void post(WorkRequest work) {
        qp.post(transport().carried(UcWork.class, work));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(WorkRequest work) {
        return qp.submit(transport().carried(UcWork.class, work));
    }
}
