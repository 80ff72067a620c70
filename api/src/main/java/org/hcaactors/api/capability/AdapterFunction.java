// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/** The PCI function of an adapter on which a context is opened. These are all that there are. */
public enum AdapterFunction {
    /** The physical function. */
    PHYSICAL,
    /** A virtual function (SR-IOV), assigned to a guest; on ConnectX it has no memory windows. */
    VIRTUAL
}
