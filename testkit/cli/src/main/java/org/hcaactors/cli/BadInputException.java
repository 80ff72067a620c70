package org.hcaactors.cli;

/** What was given can't be used; the message says why in one line. */
final class BadInputException extends Exception {
    private static final long serialVersionUID = 1L;

    BadInputException(String what) {
        super(what);
    }
}
