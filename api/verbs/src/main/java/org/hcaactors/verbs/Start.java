// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.PrintStream;
import org.hcaactors.api.error.Errno;
import org.hcaactors.fabric.cable.CableException;

/**
 * Entry of the C side into Java, once in a process: opens the adapter and exchanges functions. Its only method is found by its name.
 */
public final class Start {
    private Start() {}

    /**
     * Starts the adapter. Says in one line on standard error why it does not.
     *
     * @param upcalls address of the pointers that are written
     * @param routines address of the pointers that are read
     * @param digest of the contract of the C side
     * @return 0, or an errno
     */
    static int start(long upcalls, long routines, long digest) {
        PrintStream err = System.err;
        Errnos silent = new Errnos(err, false);
        try {
            if (digest != Calls.DIGEST) {
                silent.say("the library and the jar were built from different versions; build both again");
                return Errno.EINVAL.number();
            }
            Settings settings = Settings.of(System.getenv(), Functions.refusable());
            start(upcalls, new Routines(routines), settings, new Errnos(err, settings.explains()));
            return Errnos.NONE;
        } catch (IllegalArgumentException | CableException wrong) {
            silent.say(String.valueOf(wrong.getMessage()));
            return Errno.EINVAL.number();
        } catch (Throwable failed) {
            return silent.of(failed);
        }
    }

    private static void start(long upcalls, Routines routines, Settings settings, Errnos errnos) throws Exception {
        RunReport report = new RunReport(settings, errnos);
        ServedAdapter served = ServedAdapter.open(settings, new ProgramBytes(routines), report.trace());
        Session session = new Session(served, new Handles(), ProgramEvents.of(routines));
        Dispatch dispatch = new Dispatch(session, new ProcessCalls(served, report));
        new Upcalls(dispatch, session, settings.disturbances().refusals(), report.refused()).install(upcalls);
        report.keep(served, errnos, CrashCalls.of(routines));
    }
}
