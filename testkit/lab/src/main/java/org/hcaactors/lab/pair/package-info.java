// SPDX-License-Identifier: Apache-2.0
/** Ends of traffic, whatever the transport: what examples, scenarios, sweeps and tests send and receive with. */
@NullMarked
package org.hcaactors.lab.pair;

import org.jspecify.annotations.NullMarked;
