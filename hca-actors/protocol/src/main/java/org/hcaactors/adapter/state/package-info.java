// SPDX-License-Identifier: Apache-2.0
/** The queue pair as a machine: its states, and what each lets pass. Pure, as all rooms below it are. */
@NullMarked
package org.hcaactors.adapter.state;

import org.jspecify.annotations.NullMarked;
