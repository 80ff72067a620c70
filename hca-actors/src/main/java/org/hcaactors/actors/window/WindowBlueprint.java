// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.window;

import org.hcaactors.actors.key.KeyBlueprint;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.window.UnboundWindow;
import org.hcaactors.adapter.window.WindowAttributes;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.fabric.flow.Element;

/** Blueprint of a memory window. */
public final class WindowBlueprint implements KeyBlueprint<MemoryWindow> {
    private final WindowAttributes attributes;
    private final String process;
    private final int max;

    private WindowBlueprint(WindowAttributes attributes, String process, int max) {
        this.attributes = attributes;
        this.process = process;
        this.max = max;
    }

    // rule window-function
    /**
     * @param process name of its process
     * @param domain number of its protection domain
     * @throws VerbsException EOPNOTSUPP if the profile has no windows of that type
     */
    public static WindowBlueprint of(WindowType type, String process, int domain, Profile profile) {
        WindowCapabilities able = profile.windows();
        boolean has = type == WindowType.TYPE_1 ? able.type1() : able.type2B();
        if (!has) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    profile.name() + " has no memory windows of " + (type == WindowType.TYPE_1 ? "type 1" : "type 2B")
                            + (profile.function() == AdapterFunction.VIRTUAL ? " on a virtual function" : ""));
        }
        boolean atomics = !profile.has(Quirk.NO_ATOMICS_THROUGH_WINDOWS);
        return new WindowBlueprint(
                new WindowAttributes(type, domain, able.zeroBased(), atomics), process, able.maxWindows());
    }

    @Override
    public ObjectKind kind() {
        return ObjectKind.WINDOW;
    }

    // rule window-limit
    @Override
    public int max() {
        return max;
    }

    @Override
    public TranslatedKey translatedKey(int key) {
        return new UnboundWindow(key, attributes);
    }

    /** The window is not bound yet. */
    @Override
    public void announce(int key, Services services) {
        AdapterTrace trace = services.trace();
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> HcaEvent.Registered.ofNothing(
                            at,
                            services.adapter(),
                            Element.key(key),
                            HcaEvent.KeyKind.MEMORY_WINDOW,
                            process,
                            attributes.domain()));
        }
    }

    @Override
    public MemoryWindow handle(int key, KeyOwner owner) {
        return new WindowHandle(key, attributes, owner);
    }
}
