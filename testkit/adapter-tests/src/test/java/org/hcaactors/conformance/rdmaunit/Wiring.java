// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

/** Where the two ends of a test live. The suite knows loopback alone; what it says must hold over a wire, too. */
enum Wiring {
    LOOPBACK,
    WIRE
}
