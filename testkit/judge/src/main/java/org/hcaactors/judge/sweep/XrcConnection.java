// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.lab.world.World;

/** An XRC initiator, its target, and the handles that the processes of the target's node have on it. */
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

    /** Returns the target's number. */
    int target() {
        return target;
    }

    boolean isOpenAt(XrcProcess member) {
        return handles.containsKey(member);
    }

    /** Opens a handle, unless the process has one. */
    void open(XrcProcess member) {
        if (!isOpenAt(member)) {
            handles.put(member, world.await(member.shared.openTarget(target)));
        }
    }

    /** Closes the process's handle, unless it is the only one. */
    void leave(XrcProcess member) {
        XrcTarget handle = handles.get(member);
        if (handle != null && handles.size() > 1) {
            world.await(handle.destroy());
            handles.remove(member);
        }
    }

    /** Removes the handle of a process that exited. */
    void removeExited(XrcProcess member) {
        handles.remove(member);
    }

    /** True if another process keeps the target open. */
    boolean outlives(XrcProcess member) {
        return handles.size() > (isOpenAt(member) ? 1 : 0);
    }

    boolean hasEnded() {
        return life.requests().stream().allMatch(QueuePairLife.Request::hasEnded);
    }

    /** True if a request failed: what is posted now is flushed. */
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
