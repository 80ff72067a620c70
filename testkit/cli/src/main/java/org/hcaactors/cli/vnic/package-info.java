// SPDX-License-Identifier: Apache-2.0
/** What the rings of a virtual NIC take of its host's memory, as its driver's module parameters say. */
@NullMarked
package org.hcaactors.cli.vnic;

import org.jspecify.annotations.NullMarked;
