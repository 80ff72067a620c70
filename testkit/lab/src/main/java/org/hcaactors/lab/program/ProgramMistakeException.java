// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

/**
 * A program misuses its adapter. The stack trace is that of the program's call, if there was one. The next call that runs the
 * world throws it.
 */
public final class ProgramMistakeException extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final ProgramCheck check;

    ProgramMistakeException(ProgramCheck check, String story) {
        super(story + "; " + check.advice() + " (check " + check + "; world.allow(ProgramCheck." + check.name()
                + ") turns it off)");
        this.check = check;
    }

    public ProgramCheck check() {
        return check;
    }
}
