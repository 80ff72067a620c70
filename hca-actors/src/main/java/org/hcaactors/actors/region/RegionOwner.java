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

/** A context, as used by its regions. */
public interface RegionOwner extends KeyOwner, DeviceContext {
    /** Returns the name of its process. */
    String processName();

    /** Returns the credentials of its process. */
    Credentials identity();

    /** Returns the address space of its process. */
    AddressSpace space();

    /** Returns the physical memory of its host. */
    PhysicalMemory physical();

    /** Returns the shared memory of its host. */
    SharedMemory shared();

    /** Returns the allocator of pages for registrations that allocate memory. */
    PageAllocator pages();

    PagerCommands pager();

    Profile profile();

    Services services();

    /**
     * Returns the number of an open protection domain of this context.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL for any other handle
     */
    int numberOf(Handle domain);

    /** Creates an object in that domain: meanwhile closing the domain is refused, and closing the context waits. */
    <H> CompletionStage<H> creating(int domain, Supplier<CompletionStage<H>> creation);

    /** Changes the memory behind a key when it is not in use. Fails with EBUSY if another key refers to it. */
    CompletionStage<Void> change(int key, KeyChange change);

    /** Deregisters a key; the handle stays open. */
    CompletionStage<Void> withdraw(int key);

    /** Assigns a key. */
    CompletionStage<Integer> assign(KeyBlueprint<?> blueprint);

    /** Returns the remapped keys of its adapter. */
    RemappedKeys foreign();

    /** Moves an open region to another domain. */
    void moved(Handle region, int domain);

    /** Reports that an open region has no key, and nothing on the adapter; it stays open. */
    void lostItsKey(Handle region);

    /** Counts a region without a key as closed. */
    void closed(Handle region);
}
