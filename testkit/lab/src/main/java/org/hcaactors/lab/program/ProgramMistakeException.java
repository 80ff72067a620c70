// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

/**
 * A program uses its adapter wrongly; its stack trace is that of the program's own call, where there was one. The world throws it as soon
 * as it is let go on.
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
