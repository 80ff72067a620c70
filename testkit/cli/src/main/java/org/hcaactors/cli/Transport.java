package org.hcaactors.cli;

/** What the examples and measurements can run over. */
enum Transport {
    RC,
    UC,
    UD,
    /** Reliable connected, with receives that all queue pairs of a side share. */
    SRQ
}
