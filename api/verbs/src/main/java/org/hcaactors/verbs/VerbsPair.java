// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.OptionalInt;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.QueuePairEndpoint;

/** A queue pair of the program ({@code ibv_qp}), whose events go to its cookie once it has a number. Thread-safe. */
final class VerbsPair implements Opened {
    private final OpenedDevice device;
    private final QueuePairEndpoint end;
    private final long cookie;
    private final boolean signalsAll;
    private OptionalInt number = OptionalInt.empty();

    VerbsPair(OpenedDevice device, QueuePairEndpoint end, long cookie, boolean signalsAll) {
        this.device = device;
        this.end = end;
        this.cookie = cookie;
        this.signalsAll = signalsAll;
        if (!(end instanceof DcTarget)) {
            numbered(end.number());
        }
    }

    @Override
    public OpenedDevice device() {
        return device;
    }

    QueuePairEndpoint end() {
        return end;
    }

    boolean signalsAll() {
        return signalsAll;
    }

    /** Returns the number; 0 of a DC target that was never in RTR. */
    synchronized int number() {
        if (number.isEmpty()) {
            try {
                numbered(end.number());
            } catch (VerbsException notYet) {
                return 0;
            }
        }
        return number.orElse(0);
    }

    private synchronized void numbered(int known) {
        number = OptionalInt.of(known);
        device.add(AsyncEvent.Source.QUEUE_PAIR, known, cookie);
    }

    /** No event passes any more. */
    synchronized void ended() {
        number.ifPresent(known -> device.remove(AsyncEvent.Source.QUEUE_PAIR, known, cookie));
    }
}
