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
 * Timeouts, retry counts and RNR timers from their whole range, including 0, with receives that are posted early or late.
 * Without losses no retry is needed, however small the count: a request may fail only if its timeout is shorter than the round
 * trip, or if its receive is late.
 */
final class ExtremeAttributes implements Workload {
    private static final int MAX_ACTS = 12;
    /** 4.2 ms; with more, retransmission to a peer that is gone takes too long. */
    private static final int LONGEST_TIMEOUT_CODE = 10;
    /** Below it a busy link may take longer than the timeout. */
    private static final int SAFE_TIMEOUT_CODE = 7;
    /** 16.8 ms: the timeout for Soft-RoCE when it retries without limit. */
    private static final int RARE_TIMEOUT_CODE = 12;

    private static final int FOR_EVER = 7;
    /** Maximum virtual time that all RNR waits of one connection take. */
    private static final Duration LONGEST_LIFE = Duration.ofSeconds(12);

    private final SweepContext sweep;
    private final World world;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final Renewable connection;
    private ReceiveWaves receives;
    private boolean early;
    private int untilNext;
    private int cell;

    ExtremeAttributes(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("odd terms");
        verb = new RandomVerbs(sweep, random);
        RcConnection attributes = attributes();
        connection = new Renewable(
                sweep,
                "odd terms",
                random,
                sweep.a().half(),
                sweep.b().half().withRecvCq(sweep.b().polledCq(500)),
                attributes);
        begin(attributes);
    }

    private RcConnection attributes() {
        int retries = random.nextInt(8);
        boolean never = retries == FOR_EVER && sweep.a().adapter.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
        int timeout = random.nextInt(4) == 0 ? 0 : random.nextInt(LONGEST_TIMEOUT_CODE + 1);
        return sweep.patient(random)
                .withTimeoutCode(never ? RARE_TIMEOUT_CODE : timeout)
                .withRetryCount(retries)
                .withRnrRetry(random.nextInt(3) == 0 ? FOR_EVER : random.nextInt(8))
                .withMinRnrTimerCode(rnrTimer());
    }

    /** Returns a timer code: code 0 is the longest, most are short. */
    private int rnrTimer() {
        return random.nextInt(3) == 0 ? random.nextInt(32) : 1 + random.nextInt(10);
    }

    private void begin(RcConnection attributes) {
        early = random.nextInt(3) == 0;
        untilNext = 1 + random.nextInt(MAX_ACTS);
        // The act that begins a connection belongs to it.
        receives = new ReceiveWaves(sweep.b(), random, connection.remote()::postReceive, early ? untilNext + 1 : 0);
        Set<Status> mayFail = EnumSet.noneOf(Status.class);
        // A fault may cause an RNR NAK although a receive is posted.
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

    /** Ends requests whose attributes make them wait without limit, if something was lost; without losses none waits. */
    @Override
    public void close() {
        world.runFor(LONGEST_LIFE);
        if (FaultSeverity.of(world.faults()) != FaultSeverity.CALM) {
            connection.life().cutOff();
        }
        sweep.promises().verb("ERR", connection.local().modify(QpModify.to(QpState.ERR)), Errno.EINVAL);
    }
}
