// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

/** Which PCI function of an adapter a context is opened on. These are all that there are. */
public enum AdapterFunction {
    /** The adapter itself. */
    PHYSICAL,
    /** A share of it that is lent to a guest (SR-IOV): without memory windows on ConnectX. */
    VIRTUAL
}
