// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.lab.world.World;

/** What asks, what is asked, and the handles that the members of its node have on that. */
final class XrcConnection {
    final XrcQueuePair pair;
    final QueuePairLife life;
    private final World world;
    private final int target;
    private final Map<XrcProcess, XrcTarget> handles = new LinkedHashMap<>();

    XrcConnection(World world, XrcQueuePair pair, XrcProcess maker, RcConnection attributes, QueuePairLife life) {
        this.world = world;
        this.pair = pair;
        this.life = life;
        XrcTarget made = world.await(maker.shared.createTarget());
        handles.put(maker, made);
        target = made.number();
        world.await(made.connect(pair.gid(), pair.number(), attributes.reversed()));
        world.await(pair.connect(made.gid(), target, attributes));
    }

    /** Number of what is asked. */
    int target() {
        return target;
    }

    boolean isOpenAt(XrcProcess member) {
        return handles.containsKey(member);
    }

    /** Nothing where it has a handle. */
    void open(XrcProcess member) {
        if (!isOpenAt(member)) {
            handles.put(member, world.await(member.shared.openTarget(target)));
        }
    }

    /** Gives up the member's handle, unless it is the only one. */
    void leave(XrcProcess member) {
        XrcTarget handle = handles.get(member);
        if (handle != null && handles.size() > 1) {
            world.await(handle.destroy());
            handles.remove(member);
        }
    }

    /** The handle went with its process. */
    void lost(XrcProcess member) {
        handles.remove(member);
    }

    /** Somebody else than the member keeps it. */
    boolean outlives(XrcProcess member) {
        return handles.size() > (isOpenAt(member) ? 1 : 0);
    }

    boolean hasEnded() {
        return life.requests().stream().allMatch(QueuePairLife.Request::hasEnded);
    }

    /** A request failed: what is posted now is flushed. */
    boolean hasFailed() {
        return life.requests().stream().anyMatch(QueuePairLife.Request::hasFailed);
    }

    void close() {
        world.await(pair.destroy());
        for (XrcTarget handle : handles.values()) {
            world.await(handle.destroy());
        }
        handles.clear();
    }
}
