// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

/** Location of a test's two ends. The suite uses loopback only; its results must hold over a wire, too. */
enum Wiring {
    LOOPBACK,
    WIRE
}
