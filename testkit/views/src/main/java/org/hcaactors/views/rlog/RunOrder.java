// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.HashSet;
import java.util.Set;
import org.hcaactors.fabric.flow.Stamp;

/**
 * Checks that ids are unique and that causes precede their events. A run with a seed had one thread, so ids and time never
 * decrease; on a real clock, threads record their events independently.
 */
final class RunOrder {
    private final boolean oneThread;
    private final Set<Long> seen = new HashSet<>();
    private long lastId;
    private long lastNanos;

    RunOrder(boolean oneThread) {
        this.oneThread = oneThread;
    }

    void check(Stamp stamp) throws RlogFormatException {
        if (stamp.id() < 1) {
            throw new RlogFormatException("id is " + stamp.id() + "; at least 1 is allowed");
        }
        checkCause(stamp.id(), stamp.cause());
        checkCause(stamp.id(), stamp.otherCause());
        if (oneThread) {
            checkForward(stamp);
        } else if (!seen.add(stamp.id())) {
            throw twice(stamp.id());
        }
        lastId = stamp.id();
        lastNanos = stamp.nanos();
    }

    private static void checkCause(long id, long cause) throws RlogFormatException {
        if (cause < 0 || cause >= id) {
            throw new RlogFormatException("causes of event " + id + " contain " + cause
                    + "; the id of an earlier event is allowed, or 0 for an unknown cause");
        }
    }

    private void checkForward(Stamp stamp) throws RlogFormatException {
        if (stamp.id() == lastId) {
            throw twice(stamp.id());
        }
        if (stamp.id() < lastId) {
            throw new RlogFormatException(
                    "id " + stamp.id() + " follows id " + lastId + "; in a run with a seed the ids must increase");
        }
        if (stamp.nanos() < lastNanos) {
            throw new RlogFormatException("nanos decrease from " + lastNanos + " to " + stamp.nanos()
                    + "; in a run with a seed they must not decrease");
        }
    }

    private static RlogFormatException twice(long id) {
        return new RlogFormatException("id " + id + " occurs twice; ids must be unique");
    }
}
