// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of this package. */
public final class DeviceBugs {
    private DeviceBugs() {}

    /** Ignores whether the context or the domain is closed. */
    public static final class CreatesInWhatIsClosed {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) int domain, @MarkedField("open-objects.under-way") List<Integer> underWay) {
            underWay.add(domain);
            return true;
        }
    }

    /** Closes a context without waiting for objects that are being created. */
    public static final class WaitsForNoCreation {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletionStage<Void> none) {
            none = CompletableFuture.completedStage(null);
        }
    }

    /** Leaves a creation that threw registered as in progress. */
    public static final class LeavesWhatThrew {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.Argument(0) int domain,
                @MarkedField("context-handle.open") OpenObjects open,
                @Advice.Thrown Throwable thrown) {
            if (thrown != null) {
                open.begin(domain);
            }
        }
    }

    /** Accepts an object of any context, open or closed. */
    public static final class TakesWhatIsNotItsOwn {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.Argument(0) Handle handle,
                @Advice.Argument(1) Class<?> kind,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object own,
                @Advice.Thrown(readOnly = false) Throwable refused) {
            if (refused != null && kind.isInstance(handle)) {
                refused = null;
                own = handle;
            }
        }
    }

    /** Deallocates a protection domain with objects in it. */
    public static final class ClosesBusyDomains {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(1) int number,
                @MarkedField("open-objects.in-domain") Map<Integer, Integer> inDomain,
                @MarkedField("open-objects.under-way") List<Integer> underWay) {
            inDomain.replace(number, 0);
            underWay.removeAll(List.of(number));
        }
    }

    /** Notifies the fabric directly, without the adapter, which plugs in its first cable later. */
    public static final class TellsTheFabricItself {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) LinkProperties link,
                @MarkedField("adapter-handle.name") String name,
                @MarkedField("adapter-handle.port") LocalPort port,
                @MarkedField("adapter-handle.services") Services services) {
            relink(port, link, services.profile());
            services.fabric().tell(new FabricActor.PlugPort(name, port.address(), link));
            return true;
        }
    }

    static void relink(LocalPort port, LinkProperties link, Profile profile) {
        PathMtu mtu = LocalPort.mtuOn(link, profile.port().maxMtu());
        port.change(before -> before.withActiveMtu(mtu));
    }
}
