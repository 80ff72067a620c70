// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.region;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.adapter.host.PhysicalMemory;
import org.hcaactors.adapter.host.SharedMemory;
import org.hcaactors.adapter.inline.RemappedKeys;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.paging.PagerCommands;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.Handle;

/** A context, as its regions know it. */
public interface RegionOwner extends KeyOwner, DeviceContext {
    /** Name of its process. */
    String processName();

    /** Whose its process is. */
    Credentials identity();

    /** Of its process. */
    AddressSpace space();

    /** Of its host. */
    PhysicalMemory physical();

    /** Of its host. */
    SharedMemory shared();

    /** Finds pages for what its registrations allocate. */
    PageAllocator pages();

    PagerCommands pager();

    Profile profile();

    Services services();

    /** VerbsException (EINVAL) unless it is a protection domain of this context that is open. */
    int numberOf(Handle domain);

    /** Something of that domain comes to be: closing the domain is refused meanwhile, and closing the context waits. */
    <H> CompletionStage<H> creating(int domain, Supplier<CompletionStage<H>> creation);

    /** What a key shows changes when nobody uses it. Fails with EBUSY where another key holds on to it. */
    CompletionStage<Void> change(int key, KeyChange change);

    /** Takes a key away, and the handle stays open. */
    CompletionStage<Void> withdraw(int key);

    /** Finds a key for what has none. */
    CompletionStage<Integer> assign(KeyBlueprint<?> blueprint);

    /** Those of its adapter. */
    RemappedKeys foreign();

    /** An open region belongs to another domain from now on. */
    void moved(Handle region, int domain);

    /** An open region has no key any more, and nothing of it is at the adapter; it stays open. */
    void lostItsKey(Handle region);

    /** A region without a key counts as closed. */
    void forget(Handle region);
}
