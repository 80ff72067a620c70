package org.hcaactors.adapter.device;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.fabric.link.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;

/** What an adapter's handle is patched with, inside its room. */
public final class PortBugs {
    private PortBugs() {}

    /** Straight to the fabric, which hears of the first link only later. */
    public static final class PassesTheAdapterBy {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) LinkProperties link,
                @Advice.FieldValue("name") String name,
                @Advice.FieldValue("port") LocalPort port,
                @Advice.FieldValue("bus") Bus bus) {
            bus.fabric().tell(new FabricActor.PlugPort(name, port.address(), link));
            return true;
        }
    }
}
