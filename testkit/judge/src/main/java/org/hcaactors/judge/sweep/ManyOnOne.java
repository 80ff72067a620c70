// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * Many connections on one completion queue and one shared receive queue, which runs empty: a receive is posted again when one
 * was taken, or later. Short messages and long ones, several READs under way. In some seeds a receive has a wrong key, and
 * whoever takes it fails. When one end of a connection fails, the other one is ended, too: it may wait for the rest of a
 * message, and keep the receive that the others need.
 */
final class ManyOnOne implements Strand {
    private static final int MOST_PAIRS = 6;
    private static final int MOST_READS = 16;
    private static final int ENTRIES = 255;
    private static final int MOST_OWED = 4;
    /** With a wrong key or without it, and then one that each queue pair may keep. */
    private static final int MOST_RECEIVES = 1 + MOST_OWED + MOST_PAIRS;
    /** 0.16 ms; receives come late here. */
    private static final int RNR_TIMER = 8;

    private static final int FOR_EVER = 7;
    private static final int MOST_PACKETS = 24;

    /** Within it all have ended that ever will; virtual time costs nothing where nothing happens. */
    private static final int MOST_MILLIS = 100;

    private record Line(Ends<RcEnd> pair, Life life) {
        boolean hasEnded() {
            return life.requests().stream().allMatch(Life.Request::hasEnded);
        }
    }

    private final Setting setting;
    private final SplittableRandom lots;
    private final AnyVerb verb;
    private final SharedReceiveQueue srq;
    private final List<Line> lines = new ArrayList<>();
    private int owed;
    private int posted;
    private boolean over;
    private boolean starved;

    ManyOnOne(Setting setting) {
        this.setting = setting;
        lots = setting.lots("many on one");
        verb = new AnyVerb(setting, lots);
        World world = setting.world();
        Site b = setting.b();
        srq = world.await(b.domain.createSrq(SrqDescription.of(MOST_RECEIVES).withMaxSge(1)));
        CompletionQueue queue = world.await(b.context.createCq(ENTRIES));
        queue.completions().subscribe(Subscribers.forEach(completion -> taken(), why -> {}));
        boolean bad = lots.nextInt(4) == 0;
        for (int i = 2 + lots.nextInt(MOST_PAIRS - 1); i > 0; i--) {
            Ends<RcEnd> pair = setting.connected(
                    setting.a().half(),
                    b.half().sendCq(queue).srq(srq),
                    setting.patient(lots)
                            .withRdAtomic(1 + lots.nextInt(MOST_READS))
                            .withRnrRetry(FOR_EVER)
                            .withMinRnrTimerCode(RNR_TIMER));
            Life life = bad
                    ? setting.promises().life("many on one", Status.REM_OP_ERR)
                    : setting.promises().life("many on one");
            lines.add(new Line(pair, life));
        }
        if (bad) {
            LocalSlice right = b.longReceive(0).local().getFirst();
            srq.postReceive(Receive.of(-1, new LocalSlice(right.lkey() ^ 1, right.address(), right.lengthBytes())));
        }
        owed = 1 + lots.nextInt(MOST_OWED);
    }

    private void taken() {
        owed++;
        if (over || lots.nextBoolean()) {
            pay();
        }
    }

    private void pay() {
        for (; owed > 0; owed--) {
            ReceiveWaves.quietly(() -> srq.postReceive(setting.b().longReceive(posted++)));
        }
    }

    @Override
    public void step() {
        switch (lots.nextInt(8)) {
            case 0 -> pay();
            case 1 -> change();
            default -> {}
        }
        Line line = lines.get(lots.nextInt(lines.size()));
        int cell = lots.nextInt(Site.CELLS / 2);
        verb.submit(line.pair.a().qp(), line.life, cell, bytes());
        line.life.requests().getLast().stage().thenAccept(completion -> {
            if (!completion.isSuccess()) {
                hangUp(line);
            }
        });
    }

    /** To ERR where it is already changes nothing. */
    private void hangUp(Line line) {
        setting.promises().verb("ERR at the other end", line.pair.b().qp().modify(QpModify.to(QpState.ERR)));
    }

    private int bytes() {
        int packets = lots.nextInt(10) == 0 ? lots.nextInt(MOST_PACKETS) : 0;
        return Math.min(packets * setting.mtu().bytes(), Site.CELL * Site.CELLS / 2)
                + lots.nextInt(packets > 0 ? 2 : Site.CELL);
    }

    /** A limit that is armed and a size that is changed disturb nobody. */
    private void change() {
        Promises promises = setting.promises();
        ReceiveWaves.quietly(() -> {
            if (lots.nextBoolean()) {
                promises.verb("arm the limit", srq.armLimit(lots.nextInt(MOST_RECEIVES)));
            } else {
                promises.verb("resize", srq.resize(MOST_RECEIVES + lots.nextInt(MOST_RECEIVES)), Errno.EINVAL);
            }
        });
    }

    @Override
    public void windUp() {
        over = true;
        pay();
    }

    /** Whoever waits for the rest of a message that was forged keeps a receive; no queue pair keeps more than one. */
    @Override
    public void close() {
        for (int i = 0; i < MOST_MILLIS && isWaiting(); i++) {
            setting.world().runFor(Duration.ofMillis(1));
        }
        starved = isWaiting();
        if (starved) {
            owed += lines.size();
            pay();
        }
    }

    private boolean isWaiting() {
        return !lines.stream().allMatch(Line::hasEnded);
    }

    @Override
    public void atRest() {
        Severity weather = setting.weather();
        if (starved && weather != Severity.HOSTILE && weather != Severity.DISASTER) {
            throw new AssertionError("many on one: a receive was taken, and its completion never came");
        }
    }
}
