// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Random;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;

/** Random requests of a seed. */
final class DrawnWork {
    private final Random random;

    DrawnWork(Random random) {
        this.random = random;
    }

    /** A WRITE may be long enough to request an acknowledgement in its middle. */
    int lengthOf(int shape) {
        if ((shape == 5 || shape == 6) && random.nextInt(3) == 0) {
            return random.nextInt(80 * BatchPlay.MTU);
        }
        return random.nextInt(3) == 0 ? random.nextInt(7 * BatchPlay.MTU) : random.nextInt(BatchPlay.MTU + 1);
    }

    WorkRequest work(long id, Side side, Side peer, int shape, int bytes) {
        int key = random.nextInt(40) == 0 ? BatchPlay.NO_KEY : random.nextInt(20) == 0 ? BatchPlay.SMALL_KEY : Side.KEY;
        int rkey =
                random.nextInt(60) == 0 ? BatchPlay.NO_KEY : random.nextInt(20) == 0 ? BatchPlay.SMALL_KEY : Side.KEY;
        long at = random.nextInt(4) * 8L;
        RemoteAddress remote = new RemoteAddress(rkey, peer.memory.address() + (shape % 2) * 4096L + at);
        Send send = random.nextInt(5) == 0
                ? Send.of(id, side.slice(key, at, bytes / 2), side.slice(BatchPlay.SMALL_KEY, 0, bytes - bytes / 2))
                : Send.of(id, side.slice(key, at, bytes));
        RdmaWrite write = RdmaWrite.of(id, side.slice(key, at, bytes), remote);
        return switch (shape) {
            case 0, 1, 2 -> random.nextInt(3) == 0 ? send : send.withSignaled();
            case 3 -> send.withSignaled().withImmediate((int) id);
            case 4 ->
                random.nextInt(8) == 0
                        ? send.withInvalidate(BatchPlay.NO_KEY)
                        : send.withSolicited().withFence();
            case 5, 6 -> write.withSignaled();
            case 7 -> write.withImmediate((int) id).withSolicited();
            case 8 -> RdmaRead.of(id, side.slice(key, 20_000, bytes), remote).withSignaled();
            case 9 ->
                random.nextBoolean()
                        ? FetchAdd.of(id, side.slice(key, 30_000, 8), remote, 3).withSignaled()
                        : CompareAndSwap.of(id, side.slice(key, 30_000, 8), remote, 1, 2)
                                .withSignaled();
            case 10 -> send.withInline();
            default -> random.nextInt(6) == 0 ? LocalInvalidate.of(id, BatchPlay.NO_KEY) : write.withInline();
        };
    }
}
