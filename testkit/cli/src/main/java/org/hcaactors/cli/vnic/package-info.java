// SPDX-License-Identifier: Apache-2.0
/** Memory of a virtual NIC's rings, computed from its driver's module parameters. */
@NullMarked
package org.hcaactors.cli.vnic;

import org.jspecify.annotations.NullMarked;
