package org.hcaactors.adapter.queue;

import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcCapacity;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * What an RC queue pair is made with.
 *
 * @param number 24 bits
 * @param domain number of the protection domain
 * @param capacity with both queue lengths powers of two
 * @param signalAll every request writes a completion
 * @param port address of the port
 */
public record RcPlan(
        int number, int domain, RcCapacity capacity, boolean signalAll, PortAddress port, Profile profile) {}
