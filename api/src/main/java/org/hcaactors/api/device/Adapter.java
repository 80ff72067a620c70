package org.hcaactors.api.device;

import java.util.SortedMap;

/** A modelled adapter with one port on the fabric. */
public interface Adapter {
    String name();

    Profile profile();

    /** Entry 0 of port 1's GID table. */
    Gid gid();

    /** A process of the host that this adapter sits in; the same name gives the same process. */
    HostProcess process(String name);

    /** The port's hardware counters under their mlx5 names, in name order. */
    SortedMap<String, Long> counters();
}
