// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/** One end of a reliable connection. */
public record RcEnd(Side side, RcQueuePair qp) implements End {
    /** Creates both queue pairs and connects them; {@code attributes} are those of the first. */
    public static Ends<RcEnd> connect(RdmaNetwork network, Half a, Half b, RcConnection attributes) {
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                a.domain(), a.describe(QpDescription.rc()), b.domain(), b.describe(QpDescription.rc()), attributes));
        return new Ends<>(new RcEnd(a.side(), pair.local()), new RcEnd(b.side(), pair.remote()));
    }

    /** Describes the end of a connection that communication management makes. */
    public static ConnectionDescription described(Half half, RcConnection terms) {
        return ConnectionDescription.of(half.domain())
                .withQp(half.describe(QpDescription.rc()))
                .withTerms(terms);
    }

    @Override
    public Transport transport() {
        return Transport.RC;
    }

    @Override
    public void post(WorkRequest work) {
        qp.post(transport().carried(RcWork.class, work));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(WorkRequest work) {
        return qp.submit(transport().carried(RcWork.class, work));
    }
}
