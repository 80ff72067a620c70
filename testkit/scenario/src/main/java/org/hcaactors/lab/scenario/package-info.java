// SPDX-License-Identifier: Apache-2.0
/** A run that is written down in a file: adapters, connections, traffic, faults, and what is expected of it. */
@NullMarked
package org.hcaactors.lab.scenario;

import org.jspecify.annotations.NullMarked;
