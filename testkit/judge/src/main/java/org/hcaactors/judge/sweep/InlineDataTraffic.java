// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

// rules inline-receive, inline-results, inline-poll
/**
 * Messages and results that travel in their completions, which a program polls late: each has its own place in memory, which
 * stays empty until its completion is polled. Some have no place, or one that is too small.
 */
final class InlineDataTraffic implements Workload {
    /** Places of one side; each is used once. */
    private static final int PLACES = 250;

    private static final int PLACE = 96;
    private static final int PATTERN = 200;
    private static final long WORD = (long) PLACES * PLACE + PATTERN & -8;
    private static final long NOWHERE = 0x40;

    /** Maximum number of unpolled completions of one side. */
    private static final int MAX_UNPOLLED = 60;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Ends<RcEnd> ends;
    private final LatePoller atA;
    private final LatePoller atB;
    private int places;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("carried data cannot start", () -> new InlineDataTraffic(sweep))
                .orElse(() -> {});
    }

    private InlineDataTraffic(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("carried data");
        ends = sweep.connected(half(sweep.a()), half(sweep.b()), sweep.patient(random));
        atA = new LatePoller(sweep, ends.a().sendCq(), ends.a().memory());
        atB = new LatePoller(sweep, ends.b().recvCq(), ends.b().memory());
    }

    private Half half(SweepNode site) {
        Side side = Side.within(sweep.world().network(), site.domain, WORD + Long.BYTES);
        byte[] pattern = new byte[PATTERN];
        random.nextBytes(pattern);
        side.memory().write((long) PLACES * PLACE, pattern);
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(site.adapter, SweepNode.PROCESS, side.memory());
        }
        Half half = Half.on(side)
                .withCapacity(QpCapacity.DEFAULT)
                .withSendCq(queue(site))
                .withRecvCq(queue(site))
                .withInlineReceives();
        return random.nextInt(4) > 0 ? half.withSignalAll() : half;
    }

    private CompletionQueue queue(SweepNode site) {
        int bytes =
                random.nextInt(3) == 0 ? site.adapter.profile().completions().maxEntryBytes() : 64;
        return sweep.world().await(site.context.createCq(CqDescription.of(300).withEntryBytes(bytes)));
    }

    @Override
    public void step() {
        boolean full = places == PLACES || atA.unpolled() > MAX_UNPOLLED || atB.unpolled() > MAX_UNPOLLED;
        switch (full ? 3 + random.nextInt(3) : random.nextInt(6)) {
            case 0, 1 -> quietly(this::message);
            case 2 -> quietly(this::result);
            case 3 -> look();
            case 4 -> atA.poll(1 + random.nextInt(3));
            default -> atB.poll(1 + random.nextInt(3));
        }
    }

    /** Posts if both queue pairs still exist; a refusal is ignored, since earlier requests show why. */
    private void quietly(Runnable post) {
        if (atA.isLost() || atB.isLost()) {
            return;
        }
        try {
            post.run();
        } catch (VerbsException refused) {
            atA.lose();
            atB.lose();
        }
    }

    private void look() {
        atA.look(random);
        atB.look(random);
    }

    private byte[] pattern(RcEnd end, int from, int count) {
        return end.memory().read((long) PLACES * PLACE + from, count);
    }

    private void message() {
        int inline = ends.b().qp().capacity().maxInlineReceiveBytes();
        int count = 1 + random.nextInt(inline > 0 && random.nextInt(4) > 0 ? inline : 80);
        boolean carried = count <= inline;
        int number = places++;
        long place = (long) number * PLACE;
        int from = random.nextInt(PATTERN - count + 1);
        RcEnd b = ends.b();
        LatePoller.Due due = new LatePoller.Due(place, pattern(ends.a(), from, count), carried, Status.SUCCESS);
        Receive receive;
        switch (carried ? random.nextInt(8) : 7) {
            case 0 -> {
                due = due.endingWith(Status.LOC_LEN_ERR);
                receive = Receive.of(number, b.slice(place, count - 1));
            }
            case 1 -> {
                due = due.endingWith(Status.LOC_PROT_ERR);
                receive = Receive.of(number, new LocalSlice(b.region().lkey(), NOWHERE, count));
            }
            case 2, 3 -> {
                int cut = random.nextInt(count);
                receive = Receive.of(number, b.slice(place, cut), b.slice(place + cut, PLACE - cut));
            }
            default -> receive = Receive.of(number, b.slice(place, PLACE));
        }
        b.postReceive(receive);
        atB.expect(number, due);
        ends.a()
                .post(Send.of(number, ends.a().slice((long) PLACES * PLACE + from, count))
                        .withSignaled());
        atA.expect(number, LatePoller.Due.NOTHING);
    }

    private void result() {
        RcEnd a = ends.a();
        int inline = a.qp().capacity().maxInlineResultBytes();
        int number = places++;
        long place = (long) number * PLACE;
        if (random.nextInt(3) == 0) {
            RemoteAddress word = ends.b().remote(WORD);
            a.post(FetchAdd.of(number, a.slice(place, Long.BYTES), word, 1).withSignaled());
            atA.expect(number, new LatePoller.Due(place, new byte[0], Long.BYTES <= inline, Status.SUCCESS));
            return;
        }
        int count = 1 + random.nextInt(inline > 0 && random.nextInt(4) > 0 ? inline : 80);
        boolean nowhere = count <= inline && random.nextInt(8) == 0;
        int from = random.nextInt(PATTERN - count + 1);
        LocalSlice into = nowhere ? new LocalSlice(a.region().lkey(), NOWHERE, count) : a.slice(place, count);
        a.post(RdmaRead.of(number, into, ends.b().remote((long) PLACES * PLACE + from))
                .withSignaled());
        LatePoller.Due due = new LatePoller.Due(place, pattern(ends.b(), from, count), count <= inline, Status.SUCCESS);
        atA.expect(number, nowhere ? due.endingWith(Status.LOC_PROT_ERR) : due);
    }

    @Override
    public void atRest() {
        look();
        atA.pollAll();
        if (atA.isLost()) {
            atB.lose();
        }
        atB.pollAll();
    }
}
