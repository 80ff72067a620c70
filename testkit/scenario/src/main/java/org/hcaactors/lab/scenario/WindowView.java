// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.world.World;

/** A part of an end's memory seen through a bound type 2 window. */
record WindowView(MemoryRegion region, MemoryWindow window) {
    static WindowView of(World world, End end) {
        MemoryRegion region = world.await(
                end.domain().register(Registration.of(end.memory()).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        return new WindowView(region, world.await(end.domain().allocateWindow(WindowType.TYPE_2)));
    }

    WorkRequest bind(long id, long offset, long lengthBytes) {
        WindowBinding shown = WindowBinding.of(region, region.address() + offset, lengthBytes)
                .withAccess(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        return BindWindow.of(id, window, shown);
    }

    WorkRequest invalidate(long id) {
        return LocalInvalidate.of(id, window.rkey());
    }

    /** Returns the address by which a peer accesses the byte. */
    RemoteAddress remote(long offset) {
        return window.remote(region.address() + offset);
    }
}
