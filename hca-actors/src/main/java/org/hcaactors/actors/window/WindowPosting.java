// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.window;

import java.util.Optional;
import org.hcaactors.actors.key.DomainKey;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.WorkRequest;

/** Checks of the library when a bind is posted (rule window-post); the adapter makes the others when it executes the bind. */
public final class WindowPosting {
    private WindowPosting() {}

    /**
     * Returns the request of the bind verb of type 1.
     *
     * @throws VerbsException EINVAL for a window of type 2
     */
    public static BindWindow bindOfType1(long id, MemoryWindow window, WindowBinding binding) {
        if (window.type() != WindowType.TYPE_1) {
            throw VerbsException.invalid(window.describe() + " is of type 2; the verb binds only windows of type 1");
        }
        return BindWindow.of(id, window, binding);
    }

    /** @throws VerbsException EINVAL for a window of type 1, which posted requests cannot bind */
    public static void checkType(BindWindow bind) {
        if (bind.type() == WindowType.TYPE_1) {
            String which = bind.window().map(MemoryWindow::describe).orElse("the window");
            throw VerbsException.invalid(which
                    + " is of type 1; bind it with the verb bind, as a posted request binds only windows of type 2");
        }
    }

    /**
     * @param context of the queue pair
     * @throws VerbsException if the library refuses the bind
     */
    public static void check(BindWindow bind, Object context) {
        bind.window().ifPresent(window -> checkContext(window, context));
        bind.binding().flatMap(WindowBinding::region).ifPresent(region -> checkContext(region, context));
        if (bind.type() == WindowType.TYPE_1 && bind.window().orElse(null) instanceof WindowHandle window) {
            checkTyped(bind, window, bind.binding().flatMap(WindowBinding::region));
        }
        if (bind.lengthBound() > WindowBinding.MAX_BYTES) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "the window has " + bind.lengthBound() + " bytes; at most " + WindowBinding.MAX_BYTES
                            + " are allowed");
        }
    }

    /** A key of another adapter may also exist on this one, for another object. */
    private static void checkContext(Handle handle, Object context) {
        if (handle instanceof DomainKey own && own.owner() != context) {
            throw VerbsException.invalid(handle.describe() + " belongs to another context or adapter");
        }
    }

    private static void checkTyped(BindWindow bind, WindowHandle window, Optional<MemoryRegion> region) {
        if (region.isEmpty() && (bind.address() != 0 || bind.lengthBound() != 0)) {
            throw VerbsException.invalid(
                    bind.lengthBound() + " bytes can't be bound without a region; only 0 bytes at address 0 can");
        }
        if (bind.zeroBased()) {
            throw VerbsException.invalid("a window of type 1 can't be bound zero-based; only windows of type 2 can");
        }
        if (region.isPresent() && region.get() instanceof DomainKey regionKey) {
            checkRegion(window, region.get(), regionKey);
        }
    }

    /** A region without addresses is not bindable and not zero-based. */
    private static void checkRegion(WindowHandle window, MemoryRegion region, DomainKey regionKey) {
        if (!regionKey.isBindable()) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    region.describe() + ", can't have windows; only a region of host memory can have" + " windows");
        }
        if (regionKey.isZeroBased()) {
            throw VerbsException.invalid(region.describe() + ", can't have windows: it is zero-based");
        }
        if (regionKey.domain() != window.domain()) {
            throw new VerbsException(
                    Errno.EPERM,
                    region.describe() + ", belongs to protection domain " + regionKey.domain()
                            + "; the window belongs to " + window.domain());
        }
    }

    /** Returns the verb that posts the request. */
    public static Verb verb(WorkRequest work) {
        return work instanceof BindWindow bind && bind.type() == WindowType.TYPE_1 ? Verb.BIND_MW : Verb.POST_SEND;
    }

    /** Sets the window's new key, whether or not the request succeeds. */
    public static void posted(BindWindow bind) {
        if (bind.window().orElse(null) instanceof WindowHandle window) {
            window.posted(bind.newKey());
        }
    }
}
