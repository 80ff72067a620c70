package org.hcaactors.api.queue;

import org.hcaactors.api.memory.ProtectionDomain;

/** A checked path that datagrams can be sent along ({@code ibv_ah}); any number of queue pairs of its domain may use it. */
public interface AddressHandle {
    AddressVector vector();

    ProtectionDomain protectionDomain();
}
