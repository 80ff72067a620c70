// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.world.World;

/**
 * Time-outs, retries and RNR waits from their whole range, 0 included, with receives that are there or come late. Where nothing
 * is lost, no retry is needed, however few there are: only a time-out that is shorter than the way may end a request, and a
 * receive that is not there in time.
 */
final class OddTerms implements Strand {
    private static final int MOST_ACTS = 12;
    /** 4.2 ms; with more, a peer that is gone is asked for too long. */
    private static final int LONGEST_TIMEOUT_CODE = 10;
    /** Below it a wire that is in use may take longer than the time-out. */
    private static final int SAFE_TIMEOUT_CODE = 7;
    /** 16.8 ms: how often Soft-RoCE asks that never gives up. */
    private static final int RARE_TIMEOUT_CODE = 12;

    private static final int FOR_EVER = 7;
    /** What all RNR waits of one life take at most, in virtual time. */
    private static final Duration LONGEST_LIFE = Duration.ofSeconds(12);

    private final Setting setting;
    private final World world;
    private final SplittableRandom lots;
    private final AnyVerb verb;
    private final Renewable connection;
    private ReceiveWaves receives;
    private boolean early;
    private int untilNext;
    private int cell;

    OddTerms(Setting setting) {
        this.setting = setting;
        world = setting.world();
        lots = setting.lots("odd terms");
        verb = new AnyVerb(setting, lots);
        RcConnection terms = terms();
        connection = new Renewable(
                setting,
                "odd terms",
                lots,
                setting.a().half(),
                setting.b().half().recvCq(setting.b().polledCq(500)),
                terms);
        begin(terms);
    }

    private RcConnection terms() {
        int retries = lots.nextInt(8);
        boolean never = retries == FOR_EVER && setting.a().adapter.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
        int timeout = lots.nextInt(4) == 0 ? 0 : lots.nextInt(LONGEST_TIMEOUT_CODE + 1);
        return setting.patient(lots)
                .withTimeoutCode(never ? RARE_TIMEOUT_CODE : timeout)
                .withRetryCount(retries)
                .withRnrRetry(lots.nextInt(3) == 0 ? FOR_EVER : lots.nextInt(8))
                .withMinRnrTimerCode(rnrTimer());
    }

    /** Code 0 is the longest; most are short. */
    private int rnrTimer() {
        return lots.nextInt(3) == 0 ? lots.nextInt(32) : 1 + lots.nextInt(10);
    }

    private void begin(RcConnection terms) {
        early = lots.nextInt(3) == 0;
        untilNext = 1 + lots.nextInt(MOST_ACTS);
        // The act that begins a life is one of it.
        receives = new ReceiveWaves(setting.b(), lots, connection.remote()::postReceive, early ? untilNext + 1 : 0);
        Set<Status> mayFail = EnumSet.noneOf(Status.class);
        // A fault may say of a receive that is there that it is not.
        boolean ready = early && Severity.of(world.faults()) == Severity.CALM;
        if (terms.rnrRetry() != FOR_EVER && !ready) {
            mayFail.add(Status.RNR_RETRY_EXC_ERR);
        }
        if (terms.timeoutCode() != 0 && terms.timeoutCode() < SAFE_TIMEOUT_CODE) {
            mayFail.add(Status.RETRY_EXC_ERR);
        }
        connection.life().mayFailWith(mayFail.toArray(Status[]::new));
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            RcConnection terms = terms();
            connection.renew(terms);
            begin(terms);
        }
        if (!connection.isLost()) {
            receives.oneMore();
            verb.submit(connection.local(), connection.life(), cell++ % Site.CELLS);
        }
    }

    @Override
    public void windUp() {
        receives.all();
    }

    /** What waits for ever by its own terms, since something was lost, is ended; where nothing was lost, nothing waits. */
    @Override
    public void close() {
        world.runFor(LONGEST_LIFE);
        if (Severity.of(world.faults()) != Severity.CALM) {
            connection.life().cutOff();
        }
        setting.promises().verb("ERR", connection.local().modify(QpModify.to(QpState.ERR)), Errno.EINVAL);
    }
}
