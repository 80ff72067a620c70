// SPDX-License-Identifier: Apache-2.0
/** A mesh of queue pairs over several JVMs, which placement puts its adapters on. */
@NullMarked
package org.hcaactors.cli.mesh;

import org.jspecify.annotations.NullMarked;
