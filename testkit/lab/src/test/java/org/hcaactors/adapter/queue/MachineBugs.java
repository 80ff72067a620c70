package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.Optional;
import net.bytebuddy.asm.Advice;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.fabric.packet.Route;

/** What a queue pair's machine is patched with, inside its room. */
public final class MachineBugs {
    private MachineBugs() {}

    public static final class TheFirst {
        public static long min(long one, long other) {
            return one;
        }
    }

    public static final class Yes {
        public static boolean isShared(ReceiveQueue receives) {
            return true;
        }
    }

    public static final class AtLeastOne {
        public static int lengthBytes(LocalSlice slice) {
            return (int) Math.max(1, slice.lengthBytes());
        }
    }

    /** The attributes are taken before all that may refuse them has been asked. */
    public static final class AppliesAtOnce {
        public static Optional<Headers> toPeer(List<QpAttribute> attributes, QpSettings settings, QpPlan plan) {
            settings.apply(attributes);
            return Headers.toPeer(attributes, settings, plan);
        }
    }

    /** The address that its entry of the GID table had once. */
    public static final class KeepsItsRoute {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("route") Route route, @Advice.Return(readOnly = false) Route answer) {
            answer = route;
        }
    }
}
