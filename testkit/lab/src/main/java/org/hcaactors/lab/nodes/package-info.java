// SPDX-License-Identifier: Apache-2.0
/** Seeds of tests that other JVMs of this machine run, and command lines of such JVMs. */
@NullMarked
package org.hcaactors.lab.nodes;

import org.jspecify.annotations.NullMarked;
