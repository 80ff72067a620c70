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
final class ExtremeAttributes implements Workload {
    private static final int MAX_ACTS = 12;
    /** 4.2 ms; with more, a peer that is gone is asked for too long. */
    private static final int LONGEST_TIMEOUT_CODE = 10;
    /** Below it a wire that is in use may take longer than the time-out. */
    private static final int SAFE_TIMEOUT_CODE = 7;
    /** 16.8 ms: how often Soft-RoCE asks that never gives up. */
    private static final int RARE_TIMEOUT_CODE = 12;

    private static final int FOR_EVER = 7;
    /** What all RNR waits of one life take at most, in virtual time. */
    private static final Duration LONGEST_LIFE = Duration.ofSeconds(12);

    private final SweepContext setting;
    private final World world;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final Renewable connection;
    private ReceiveWaves receives;
    private boolean early;
    private int untilNext;
    private int cell;

    ExtremeAttributes(SweepContext setting) {
        this.setting = setting;
        world = setting.world();
        random = setting.random("odd terms");
        verb = new RandomVerbs(setting, random);
        RcConnection attributes = attributes();
        connection = new Renewable(
                setting,
                "odd terms",
                random,
                setting.a().half(),
                setting.b().half().withRecvCq(setting.b().polledCq(500)),
                attributes);
        begin(attributes);
    }

    private RcConnection attributes() {
        int retries = random.nextInt(8);
        boolean never = retries == FOR_EVER && setting.a().adapter.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
        int timeout = random.nextInt(4) == 0 ? 0 : random.nextInt(LONGEST_TIMEOUT_CODE + 1);
        return setting.patient(random)
                .withTimeoutCode(never ? RARE_TIMEOUT_CODE : timeout)
                .withRetryCount(retries)
                .withRnrRetry(random.nextInt(3) == 0 ? FOR_EVER : random.nextInt(8))
                .withMinRnrTimerCode(rnrTimer());
    }

    /** Code 0 is the longest; most are short. */
    private int rnrTimer() {
        return random.nextInt(3) == 0 ? random.nextInt(32) : 1 + random.nextInt(10);
    }

    private void begin(RcConnection attributes) {
        early = random.nextInt(3) == 0;
        untilNext = 1 + random.nextInt(MAX_ACTS);
        // The act that begins a life is one of it.
        receives = new ReceiveWaves(setting.b(), random, connection.remote()::postReceive, early ? untilNext + 1 : 0);
        Set<Status> mayFail = EnumSet.noneOf(Status.class);
        // A fault may say of a receive that is there that it is not.
        boolean ready = early && FaultSeverity.of(world.faults()) == FaultSeverity.CALM;
        if (attributes.rnrRetry() != FOR_EVER && !ready) {
            mayFail.add(Status.RNR_RETRY_EXC_ERR);
        }
        if (attributes.timeoutCode() != 0 && attributes.timeoutCode() < SAFE_TIMEOUT_CODE) {
            mayFail.add(Status.RETRY_EXC_ERR);
        }
        connection.life().mayFailWith(mayFail.toArray(Status[]::new));
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            RcConnection attributes = attributes();
            connection.renew(attributes);
            begin(attributes);
        }
        if (!connection.isLost()) {
            receives.oneMore();
            verb.submit(connection.local(), connection.life(), cell++ % SweepNode.CELLS);
        }
    }

    @Override
    public void finish() {
        receives.all();
    }

    /** What waits for ever by its own terms, since something was lost, is ended; where nothing was lost, nothing waits. */
    @Override
    public void close() {
        world.runFor(LONGEST_LIFE);
        if (FaultSeverity.of(world.faults()) != FaultSeverity.CALM) {
            connection.life().cutOff();
        }
        setting.promises().verb("ERR", connection.local().modify(QpModify.to(QpState.ERR)), Errno.EINVAL);
    }
}
